#include "trace/bundle/writer.h"

#include <stdlib.h>
#include <string.h>

#include "trace/bundle/container.h"
#include "trace/bundle/part.h"
#include "trace/bundle/records.h"

/* Events gathered before a frame is written: 2 MiB of them. */
#define FRAME_EVENTS 65536u

struct trace_writer {
	struct trace_container c;
	struct trace_part_out events;
	uint8_t *pending; /* encoded events of the frame under way */
	size_t pending_count;
	bool parts_written;
};

int trace_writer_open(const char *dir, struct trace_writer **out, struct err *e)
{
	struct trace_writer *w = xcalloc(1, sizeof(*w));
	int rc = trace_container_open(&w->c, dir, TRACE_BUNDLE, e);

	w->events.fd = -1;
	if (!rc)
		rc = trace_part_create(&w->events, w->c.temporary, TRACE_PART_EVENTS, e);
	if (rc) {
		trace_writer_abort(w);
		return rc;
	}
	w->pending = xmalloc((size_t)FRAME_EVENTS * TRACE_EVENT_BYTES);
	*out = w;
	return 0;
}

static int flush_events(struct trace_writer *w, bool last, struct err *e)
{
	size_t n = w->pending_count * TRACE_EVENT_BYTES;

	w->pending_count = 0;
	return trace_part_frame(&w->events, w->pending, n, last, e);
}

int trace_writer_events(struct trace_writer *w, const struct wire_event *events, size_t n,
			struct err *e)
{
	for (size_t i = 0; i < n; i++) {
		int rc = w->pending_count == FRAME_EVENTS ? flush_events(w, false, e) : 0;

		if (rc)
			return rc;
		trace_event_encode(&events[i], w->pending + w->pending_count * TRACE_EVENT_BYTES);
		w->pending_count++;
	}
	return 0;
}

static void encode_meta(const struct trace_bundle *b, struct strbuf *to)
{
	trace_meta_encode(&b->meta, to);
}

static void encode_sites(const struct trace_bundle *b, struct strbuf *to)
{
	trace_sites_encode(&b->sites, to);
}

static void encode_symbols(const struct trace_bundle *b, struct strbuf *to)
{
	trace_symbols_encode(&b->symbols, to);
}

static const struct {
	unsigned part;
	void (*encode)(const struct trace_bundle *b, struct strbuf *to);
} encoders[] = {
	{TRACE_PART_META, encode_meta},
	{TRACE_PART_SCHEDULE, trace_schedule_encode},
	{TRACE_PART_THREADS, trace_threads_encode},
	{TRACE_PART_FAILURE, trace_failure_encode},
	{TRACE_PART_SITES, encode_sites},
	{TRACE_PART_SYMBOLS, encode_symbols},
	{TRACE_PART_NOTES, trace_notes_encode},
	{TRACE_PART_OUTPUT, trace_output_encode},
	{TRACE_PART_COUNTERS, trace_counters_encode},
};

int trace_writer_parts(struct trace_writer *w, const struct trace_bundle *b, struct err *e)
{
	struct strbuf raw = STRBUF_INIT;
	int rc = 0;

	for (size_t i = 0; i < sizeof(encoders) / sizeof(encoders[0]) && !rc; i++) {
		strbuf_clear(&raw);
		encoders[i].encode(b, &raw);
		rc = trace_container_part(&w->c, encoders[i].part, &raw, e);
	}
	strbuf_free(&raw);
	w->parts_written = rc == 0;
	return rc;
}

int trace_writer_commit(struct trace_writer *w, struct err *e)
{
	int rc;

	if (!w->parts_written)
		rc = err_set(e, ERR_INTERNAL, "bundle %s has no parts", w->c.dir);
	else
		rc = flush_events(w, true, e);
	if (!rc)
		rc = trace_part_finish(&w->events, &w->c.manifest, e);
	if (!rc)
		rc = trace_container_commit(&w->c, e);
	trace_writer_abort(w);
	return rc;
}

void trace_writer_abort(struct trace_writer *w)
{
	if (!w)
		return;
	trace_part_discard(&w->events);
	trace_container_abort(&w->c);
	free(w->pending);
	free(w);
}
