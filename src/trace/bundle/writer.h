/*
 * Writes a bundle piece by piece: events may be appended while the execution goes on, so that
 * nothing has to fit in memory.  Until trace_writer_commit() everything is in a temporary directory
 * beside the target ("NAME.incomplete-XXXXXX"); a crash leaves that, and it has no MANIFEST.
 */
#ifndef HEDDLE_TRACE_WRITER_H
#define HEDDLE_TRACE_WRITER_H

#include "trace/bundle/bundle.h"

struct trace_writer;

/* ERR_EXISTS when dir is there already, ERR_IO when its parent cannot be written. */
int trace_writer_open(const char *dir, struct trace_writer **out, struct err *e);

/* Appends events; they are compressed in frames. */
int trace_writer_events(struct trace_writer *w, const struct wire_event *events, size_t n,
			struct err *e);

/* Writes every part of b except its events; once. */
int trace_writer_parts(struct trace_writer *w, const struct trace_bundle *b, struct err *e);

/* Writes the MANIFEST and puts the bundle in its place.  w is freed in any case. */
int trace_writer_commit(struct trace_writer *w, struct err *e);

/* Forgets everything and removes the temporary directory.  NULL is fine. */
void trace_writer_abort(struct trace_writer *w);

#endif
