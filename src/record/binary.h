/* What the binaries of a recording say: marks, functions, names of addresses. */
#ifndef HEDDLE_RECORD_BINARY_H
#define HEDDLE_RECORD_BINARY_H

#include "base/err.h"
#include "trace/bundle/recording.h"

/* How a program can be recorded. */
enum record_binary_kind {
	RECORD_BINARY_RECORD, /* built with --flavor=record */
	RECORD_BINARY_PATHS,  /* built with --flavor=paths */
	RECORD_BINARY_CHECK,  /* built with heddle cc as usual */
};

/*
 * ERR_NOT_FOUND: no such file; ERR_FORMAT: no program; ERR_MISMATCH: not built with heddle cc.
 */
int record_binary_check(const char *path, enum record_binary_kind *kind, struct err *e);

/*
 * Fills meta.executable, meta.modules, marks, functions, symbols, names of entries and the place of
 * the failure from the files of the modules that the run had.  Streams of paths become bits.
 */
int record_binary_describe(struct trace_recording *r, const struct record_ctl *ctl,
			   const char *path, struct err *e);

#endif
