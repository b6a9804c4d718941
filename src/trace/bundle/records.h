/*
 * The small parts of a bundle and the records of fixed size, to bytes and back.  Decoders fill what
 * belongs to them in *b and leave what they allocated to trace_bundle_fini(), also after an error.
 */
#ifndef HEDDLE_TRACE_RECORDS_H
#define HEDDLE_TRACE_RECORDS_H

#include "base/strbuf.h"
#include "trace/bundle/bundle.h"

#define TRACE_EVENT_BYTES 32
#define TRACE_CHOICE_BYTES 8

void trace_event_encode(const struct wire_event *event, uint8_t *to);
void trace_event_decode(struct wire_event *event, const uint8_t *from);

void trace_schedule_encode(const struct trace_bundle *b, struct strbuf *to);
int trace_schedule_decode(struct trace_bundle *b, const void *bytes, size_t n, struct err *e);

void trace_threads_encode(const struct trace_bundle *b, struct strbuf *to);
int trace_threads_decode(struct trace_bundle *b, const void *bytes, size_t n, struct err *e);

void trace_failure_encode(const struct trace_bundle *b, struct strbuf *to);
int trace_failure_decode(struct trace_bundle *b, const void *bytes, size_t n, struct err *e);

void trace_notes_encode(const struct trace_bundle *b, struct strbuf *to);
int trace_notes_decode(struct trace_bundle *b, const void *bytes, size_t n, struct err *e);

void trace_output_encode(const struct trace_bundle *b, struct strbuf *to);
int trace_output_decode(struct trace_bundle *b, const void *bytes, size_t n, struct err *e);

void trace_counters_encode(const struct trace_bundle *b, struct strbuf *to);
int trace_counters_decode(struct trace_bundle *b, const void *bytes, size_t n, struct err *e);

#endif
