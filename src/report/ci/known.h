/*
 * Findings that are known already, and therefore no news.
 *
 * A file of suppressions has lines "kind:pattern": kind is the rule of a finding ("race",
 * "deadlock", "assert", …) or "*", the pattern (base/pattern.h) is looked for in its places
 * ("dir/file.c:12"), functions, names and message.  Empty lines and lines that begin with '#' are
 * comments.
 *
 * A baseline is written by heddle: one line per finding, its rule and its places as file, function
 * and the text of the source line, so that it holds when lines move and does not when they change.
 */
#ifndef HEDDLE_REPORT_CI_KNOWN_H
#define HEDDLE_REPORT_CI_KNOWN_H

#include <stdbool.h>

#include "base/err.h"
#include "base/strbuf.h"
#include "base/vec.h"
#include "model/finding.h"

struct report_known {
	VEC(char *) suppressions; /* "kind:pattern" */
	VEC(char *) baseline;
};

/* Adds what is in the file; ERR_FORMAT with its line when it is no such file. */
int report_known_suppressions(struct report_known *k, const char *path, struct err *e);
int report_known_baseline(struct report_known *k, const char *path, struct err *e);
void report_known_fini(struct report_known *k);

bool report_known_has(const struct report_known *k, const struct finding *f);

/* The line of a baseline, without its end. */
void report_known_line(const struct finding *f, struct strbuf *to);

/* All of them as a baseline, each once, sorted. */
void report_known_write(const struct findings *all, struct strbuf *to);

#endif
