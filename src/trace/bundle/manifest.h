/*
 * The MANIFEST of a bundle: which files belong to it, how long they are and what their checksums
 * are.  It is written last, so a directory without one is not a complete bundle.
 *
 * It is text, so that a person (and any later version) can tell what the directory is:
 *
 *   heddle-bundle 1                  or heddle-recording 1
 *   meta 532 89abcdef01234567        name, bytes, FNV-1a 64 of the file
 *   …
 *   end 0123456789abcdef             FNV-1a 64 of everything before this line
 */
#ifndef HEDDLE_TRACE_MANIFEST_H
#define HEDDLE_TRACE_MANIFEST_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "base/strbuf.h"
#include "trace/bundle/frame.h"

/* What a directory is: one execution under control, or a recording of one that was not. */
enum trace_kind { TRACE_BUNDLE, TRACE_RECORDING };

#define TRACE_MANIFEST_NAME "MANIFEST"
#define TRACE_MANIFEST_MAX (64u << 10)

struct trace_manifest {
	enum trace_kind kind;
	uint32_t version;
	struct {
		bool present;
		uint64_t bytes;
		uint64_t hash;
	} parts[TRACE_PART_MAX]; /* by enum trace_part */
};

/* File name of a part, NULL for a number that is none. */
const char *trace_manifest_part_name(unsigned part);

void trace_manifest_encode(const struct trace_manifest *m, struct strbuf *to);

/*
 * text must be NUL-terminated.  ERR_FORMAT: it is no manifest or malformed; ERR_VERSION;
 * ERR_CHECKSUM; ERR_INCOMPLETE: cut short, or a required part is not listed.
 */
int trace_manifest_decode(struct trace_manifest *m, const char *text, size_t n, struct err *e);

/*
 * Reads the MANIFEST of dir and, when there is none, says what dir is instead (see
 * trace_bundle_read() for the codes).
 */
int trace_manifest_read(struct trace_manifest *m, const char *dir, struct err *e);
/* The same, and ERR_FORMAT when it is not of the kind that is wanted. */
int trace_manifest_read_kind(struct trace_manifest *m, const char *dir, enum trace_kind kind,
			     struct err *e);

#endif
