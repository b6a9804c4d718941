/*
 * A bundle: one recorded execution in a directory.  heddle-bundle(5) is the format byte by byte.
 *
 * struct trace_bundle is a whole bundle in memory.  It starts zeroed (TRACE_BUNDLE_INIT) and ends
 * with trace_bundle_fini(); the vectors are filled with vec_push() and friends.  For executions too
 * long to hold in memory there are trace/bundle/reader.h and trace/bundle/writer.h.
 *
 * What trace_bundle_read() hands back has been checked (trace/bundle/validate.h): thread numbers index
 * `threads', site numbers are below trace_meta_site_count() or SITE_NONE, kinds are known, texts
 * are terminated.  Code above this room may rely on it.
 */
#ifndef HEDDLE_TRACE_BUNDLE_H
#define HEDDLE_TRACE_BUNDLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "base/vec.h"
#include "trace/bundle/meta.h"
#include "trace/elf/sites.h"
#include "trace/elf/symbols.h"
#include "wire/ctl.h"
#include "wire/event.h"

/* How the execution ended; file "failure". */
struct trace_outcome {
	uint32_t outcome;	     /* enum wire_outcome */
	struct wire_failure failure; /* kind FAILURE_NONE unless OUTCOME_FAILURE */
	char reason[WIRE_NOTE_BYTES];
};

struct trace_counters {
#define X(name, text) uint64_t name;
#include "trace/bundle/counters.def"
#undef X
};

/* What the program printed, when it was captured. */
struct trace_output {
	char *out, *err; /* NULL when not captured; NUL-terminated for convenience */
	size_t out_bytes, err_bytes;
};

struct trace_bundle {
	struct trace_meta meta;
	struct trace_outcome outcome;
	struct trace_counters counters;
	VEC(struct wire_choice) schedule;
	VEC(struct wire_event) events;
	VEC(struct wire_thread) threads;
	VEC(char *) notes; /* owned */
	struct trace_sites sites;
	struct trace_symbols symbols;
	struct trace_output output;
};

#define TRACE_BUNDLE_INIT                                                                          \
	{                                                                                          \
		.meta = {.tool_version = NULL }                                                    \
	}

void trace_bundle_fini(struct trace_bundle *b);

/*
 * Reads all of it.  *b must be zeroed; after an error it is zeroed again.  The code tells what is
 * wrong, the text says it in one line:
 *   ERR_NOT_FOUND   nothing is there
 *   ERR_FORMAT      not a bundle (a file, a foreign directory), or contents that break the rules
 *   ERR_INCOMPLETE  the writer was interrupted, a file is missing or truncated
 *   ERR_CHECKSUM    a file is corrupted
 *   ERR_VERSION     made by a newer heddle
 *   ERR_LIMIT       larger than what is read into memory
 */
int trace_bundle_read(const char *dir, struct trace_bundle *b, struct err *e);

/*
 * Writes it as directory dir, which must not exist (ERR_EXISTS).  Everything goes to a temporary
 * directory beside it that is renamed at the end; after an error nothing is left.  A bundle that
 * trace_bundle_read() would refuse is not written.
 */
int trace_bundle_write(const char *dir, const struct trace_bundle *b, struct err *e);

/*
 * Removes a bundle, complete or not.  Refuses (ERR_FORMAT) a directory that holds anything heddle
 * did not write; an absent one is fine.
 */
int trace_bundle_remove(const char *dir, struct err *e);

#endif
