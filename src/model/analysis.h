/*
 * What an analysis without running says of a program, as plain data in words: what may go wrong,
 * each with its class, what was not understood, and counts.  `heddle-analyze' fills it and writes
 * it as lines, heddle reads those and renders it.
 */
#ifndef HEDDLE_MODEL_ANALYSIS_H
#define HEDDLE_MODEL_ANALYSIS_H

#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "base/strbuf.h"
#include "base/vec.h"
#include "model/finding.h"

enum analysis_class {
	ANALYSIS_POSSIBLE,
	ANALYSIS_INPUT, /* possible with some input */
	ANALYSIS_IMPOSSIBLE,
};

/* Of the finding with the same number. */
struct analysis_row {
	enum analysis_class class;
	char *why;	   /* impossible: what keeps them apart; NULL */
	char *input;	   /* INPUT: one with which it is possible; NULL */
	uint64_t contexts; /* pairs of contexts at these places */
	char *bundle;	   /* that confirms it; NULL */
};

/* Something that was not understood. */
struct analysis_note {
	char *kind; /* stable word: "call", "assembly", "limit" */
	char *what;
	struct finding_place at;
};

/* A place of a slice. */
struct analysis_line {
	struct finding_place at;
	char *text;
};

#define ANALYSIS_COUNTS(X)                                                                         \
	X(functions)                                                                               \
	X(contexts)                                                                                \
	X(threads)                                                                                 \
	X(objects)                                                                                 \
	X(accesses)                                                                                \
	X(pairs)                                                                                   \
	X(locked)                                                                                  \
	X(ordered)                                                                                 \
	X(disjoint)                                                                                \
	X(alias_all)                                                                               \
	X(alias_specialised)                                                                       \
	X(slice_all)                                                                               \
	X(slice_branches)                                                                          \
	X(branches_all)

struct analysis {
	struct findings findings;
	VEC(struct analysis_row) rows;
	VEC(struct analysis_note) notes;
	VEC(struct analysis_line) slice;
#define X(name) uint64_t name;
	ANALYSIS_COUNTS(X)
#undef X
};

void analysis_fini(struct analysis *a);
/* A new finding with its row. */
struct finding *analysis_add(struct analysis *a, const char *rule, enum analysis_class class,
			     const char *message);
/* Takes the last finding back. */
void analysis_drop(struct analysis *a);
void analysis_note(struct analysis *a, const char *kind, const char *what, struct finding_place at);
const char *analysis_class_name(enum analysis_class class);

/* As lines, and back.  ERR_FORMAT when the text is not what analysis_write() writes. */
void analysis_write(const struct analysis *a, struct strbuf *to);
int analysis_read(struct analysis *a, const char *text, size_t bytes, struct err *e);

#endif
