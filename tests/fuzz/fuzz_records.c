/*
 * The small parts, the schedule and the events, one after the other in one bundle: the input is a
 * sequence of (part, length in 16 bits, contents).  What decodes goes through the cross checks.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "trace/bundle/frame.h"
#include "trace/bundle/records.h"
#include "trace/bundle/validate.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

static int decode_events(struct trace_bundle *b, const uint8_t *bytes, size_t n)
{
	for (size_t at = 0; n - at >= TRACE_EVENT_BYTES; at += TRACE_EVENT_BYTES) {
		struct wire_event event;

		trace_event_decode(&event, bytes + at);
		vec_push(&b->events, event);
	}
	return 0;
}

static int decode_part(struct trace_bundle *b, unsigned part, const uint8_t *bytes, size_t n)
{
	struct err e = ERR_INIT;

	switch (part) {
	case TRACE_PART_META:
		trace_meta_fini(&b->meta);
		return trace_meta_decode(&b->meta, bytes, n, &e);
	case TRACE_PART_SCHEDULE:
		return trace_schedule_decode(b, bytes, n, &e);
	case TRACE_PART_EVENTS:
		return decode_events(b, bytes, n);
	case TRACE_PART_THREADS:
		return trace_threads_decode(b, bytes, n, &e);
	case TRACE_PART_FAILURE:
		return trace_failure_decode(b, bytes, n, &e);
	case TRACE_PART_NOTES:
		return trace_notes_decode(b, bytes, n, &e);
	case TRACE_PART_OUTPUT:
		free(b->output.out);
		free(b->output.err);
		memset(&b->output, 0, sizeof(b->output));
		return trace_output_decode(b, bytes, n, &e);
	default:
		return trace_counters_decode(b, bytes, n, &e);
	}
}

static void check(const struct trace_bundle *b)
{
	struct trace_validate v;
	struct err e = ERR_INIT;

	if (trace_validate_parts(b, &e))
		return;
	trace_validate_init(&v, b);
	for (size_t i = 0; i < b->events.count; i++) {
		if (trace_validate_event(&v, &b->events.items[i], &e))
			break;
	}
	trace_validate_fini(&v);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	struct trace_bundle b = TRACE_BUNDLE_INIT;
	int rc = 0;

	while (n >= 3 && !rc) {
		size_t length = (size_t)(data[1] | data[2] << 8);
		uint8_t *copy;

		if (length > n - 3)
			length = n - 3;
		/* A copy of exactly this size: reading past its end is noticed. */
		copy = xmalloc(length);
		memcpy(copy, data + 3, length);
		rc = decode_part(&b, data[0], copy, length);
		free(copy);
		data += 3 + length;
		n -= 3 + length;
	}
	if (!rc)
		check(&b);
	trace_bundle_fini(&b);
	return 0;
}
