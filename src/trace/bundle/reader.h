/* Reads a bundle with its events one at a time, in constant memory. */
#ifndef HEDDLE_TRACE_READER_H
#define HEDDLE_TRACE_READER_H

#include "trace/bundle/bundle.h"

struct trace_reader;

/* Reads everything but the events; errors as trace_bundle_read(). */
int trace_reader_open(const char *dir, struct trace_reader **out, struct err *e);

/* All parts, `events' empty; valid until close. */
const struct trace_bundle *trace_reader_parts(const struct trace_reader *r);

/*
 * The next event, checked like the rest.  Returns 1 with *event filled, 0 after the last one, or an
 * error; after 0 or an error it keeps returning the same.
 */
int trace_reader_next(struct trace_reader *r, struct wire_event *event, struct err *e);

/* Moves all parts into *to, which must be zeroed; the reader can only be closed afterwards. */
void trace_reader_take(struct trace_reader *r, struct trace_bundle *to);

void trace_reader_close(struct trace_reader *r);

#endif
