#include "trace/bundle/reader.h"

#include <stdlib.h>
#include <string.h>

#include "trace/bundle/part.h"
#include "trace/bundle/records.h"
#include "trace/bundle/validate.h"

struct trace_reader {
	char *dir;
	struct trace_bundle parts;
	struct trace_validate check;
	struct trace_part_in events;
	size_t at;  /* next byte in events.raw */
	int result; /* once it is over: what next() returns */
	struct err error;
	bool over;
};

static int decode_meta(struct trace_bundle *b, const void *bytes, size_t n, struct err *e)
{
	return trace_meta_decode(&b->meta, bytes, n, e);
}

static int decode_sites(struct trace_bundle *b, const void *bytes, size_t n, struct err *e)
{
	return trace_sites_decode(&b->sites, bytes, n, e);
}

static int decode_symbols(struct trace_bundle *b, const void *bytes, size_t n, struct err *e)
{
	return trace_symbols_decode(&b->symbols, bytes, n, e);
}

static const struct {
	unsigned part;
	int (*decode)(struct trace_bundle *b, const void *bytes, size_t n, struct err *e);
} decoders[] = {
	{TRACE_PART_META, decode_meta},
	{TRACE_PART_SCHEDULE, trace_schedule_decode},
	{TRACE_PART_THREADS, trace_threads_decode},
	{TRACE_PART_FAILURE, trace_failure_decode},
	{TRACE_PART_SITES, decode_sites},
	{TRACE_PART_SYMBOLS, decode_symbols},
	{TRACE_PART_NOTES, trace_notes_decode},
	{TRACE_PART_OUTPUT, trace_output_decode},
	{TRACE_PART_COUNTERS, trace_counters_decode},
};

static int read_parts(struct trace_bundle *b, const char *dir, const struct trace_manifest *m,
		      struct err *e)
{
	int rc = 0;

	for (size_t i = 0; i < sizeof(decoders) / sizeof(decoders[0]) && !rc; i++) {
		unsigned part = decoders[i].part;
		char *raw;
		size_t n;

		/* The manifest has been checked: what is absent is optional. */
		if (!m->parts[part].present)
			continue;
		rc = trace_part_read(dir, part, m, &raw, &n, e);
		if (rc)
			break;
		rc = decoders[i].decode(b, raw, n, e);
		free(raw);
	}
	return rc ? rc : trace_validate_parts(b, e);
}

int trace_reader_open(const char *dir, struct trace_reader **out, struct err *e)
{
	struct trace_reader *r = xcalloc(1, sizeof(*r));
	struct trace_manifest m;
	int rc;

	r->dir = xstrdup(dir);
	r->events.fd = -1;
	rc = trace_manifest_read_kind(&m, dir, TRACE_BUNDLE, e);
	if (!rc)
		rc = read_parts(&r->parts, dir, &m, e);
	if (!rc)
		rc = trace_part_open(&r->events, dir, TRACE_PART_EVENTS, &m, e);
	if (rc) {
		err_wrap(e, "%s", dir);
		trace_reader_close(r);
		return rc;
	}
	trace_validate_init(&r->check, &r->parts);
	*out = r;
	return 0;
}

const struct trace_bundle *trace_reader_parts(const struct trace_reader *r)
{
	return &r->parts;
}

/* Makes sure there is a whole event in the frame at hand; 1, 0 at the end, or an error. */
static int fill(struct trace_reader *r, struct err *e)
{
	while (r->at == r->events.raw_bytes) {
		int rc = trace_part_next(&r->events, e);

		if (rc <= 0)
			return rc;
		r->at = 0;
		if (r->events.raw_bytes % TRACE_EVENT_BYTES)
			return err_set(e, ERR_FORMAT, "events: a frame ends inside an event");
	}
	return 1;
}

int trace_reader_next(struct trace_reader *r, struct wire_event *event, struct err *e)
{
	int rc;

	if (r->over) {
		if (r->result && e)
			*e = r->error;
		return r->result;
	}
	rc = fill(r, &r->error);
	if (rc > 0) {
		trace_event_decode(event, (const uint8_t *)r->events.raw + r->at);
		r->at += TRACE_EVENT_BYTES;
		rc = trace_validate_event(&r->check, event, &r->error);
		if (rc == 0)
			return 1;
	}
	r->over = true;
	r->result = rc;
	if (rc)
		err_wrap(&r->error, "%s", r->dir);
	return trace_reader_next(r, event, e);
}

void trace_reader_take(struct trace_reader *r, struct trace_bundle *to)
{
	*to = r->parts;
	memset(&r->parts, 0, sizeof(r->parts));
}

void trace_reader_close(struct trace_reader *r)
{
	if (!r)
		return;
	trace_part_close(&r->events);
	trace_validate_fini(&r->check);
	trace_bundle_fini(&r->parts);
	free(r->dir);
	free(r);
}
