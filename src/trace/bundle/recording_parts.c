/* The contents of a recording's files, byte by byte; heddle-recording(5). */
#include <stdlib.h>
#include <string.h>

#include "trace/codec.h"
#include "trace/bundle/frame.h"
#include "trace/bundle/recording.h"

static int finish(const struct trace_get *g, const char *name, struct err *e)
{
	if (!trace_get_finished(g))
		return err_set(e, ERR_FORMAT, "%s: malformed", name);
	return 0;
}

static void encode_meta(const struct trace_recording *r, struct strbuf *to)
{
	trace_meta_encode(&r->meta, to);
}

static int decode_meta(struct trace_recording *r, const void *bytes, size_t n, struct err *e)
{
	return trace_meta_decode(&r->meta, bytes, n, e);
}

static void encode_symbols(const struct trace_recording *r, struct strbuf *to)
{
	trace_symbols_encode(&r->symbols, to);
}

static int decode_symbols(struct trace_recording *r, const void *bytes, size_t n, struct err *e)
{
	return trace_symbols_decode(&r->symbols, bytes, n, e);
}

static void encode_failure(const struct trace_recording *r, struct strbuf *to)
{
	const struct record_failure *f = &r->failure;
	uint32_t depth = f->depth < RECORD_MAX_STACK ? f->depth : RECORD_MAX_STACK;

	trace_put_u32(to, f->kind);
	trace_put_u32(to, f->thread);
	trace_put_u32(to, (uint32_t)f->signal);
	trace_put_u32(to, (uint32_t)f->code);
	trace_put_u64(to, f->address);
	trace_put_u64(to, f->pc);
	trace_put_string(to, f->text);
	trace_put_u32(to, depth);
	for (uint32_t i = 0; i < depth; i++)
		trace_put_u64(to, f->stack[i]);
	trace_put_string(to, r->place.function);
	trace_put_string(to, r->place.file);
	trace_put_u32(to, r->place.line);
	trace_put_u32(to, r->place.column);
}

static void decode_failure(struct trace_recording *r, struct trace_get *g)
{
	struct record_failure *f = &r->failure;

	f->kind = trace_get_u32(g);
	f->thread = trace_get_u32(g);
	f->signal = (int32_t)trace_get_u32(g);
	f->code = (int32_t)trace_get_u32(g);
	f->address = trace_get_u64(g);
	f->pc = trace_get_u64(g);
	trace_get_text(g, f->text, sizeof(f->text));
	f->depth = trace_get_count(g, 8);
	if (f->depth > RECORD_MAX_STACK)
		g->bad = true;
	for (uint32_t i = 0; i < f->depth && !g->bad; i++)
		f->stack[i] = trace_get_u64(g);
	r->place.function = trace_get_string(g);
	r->place.file = trace_get_string(g);
	r->place.line = trace_get_u32(g);
	r->place.column = trace_get_u32(g);
}

static void encode_head(const struct trace_recording *r, struct strbuf *to)
{
	trace_put_u32(to, RECORD_VERSION);
	trace_put_u32(to, r->backend);
	trace_put_u32(to, r->flags);
	trace_put_u32(to, r->cores);
	trace_put_u64(to, r->ring);
	trace_put_u32(to, r->loss);
	trace_put_u32(to, r->forked);
	trace_put_u32(to, (uint32_t)r->status);
	encode_failure(r, to);
}

static int decode_head(struct trace_recording *r, const void *bytes, size_t n, struct err *e)
{
	struct trace_get g;
	uint32_t version;

	trace_get_init(&g, bytes, n);
	version = trace_get_u32(&g);
	if (!g.bad && version != RECORD_VERSION)
		return err_set(e, ERR_VERSION, "recording: made by another heddle: version %u, this "
			       "heddle reads version %d", version, RECORD_VERSION);
	r->backend = trace_get_u32(&g);
	r->flags = trace_get_u32(&g);
	r->cores = trace_get_u32(&g);
	r->ring = trace_get_u64(&g);
	r->loss = trace_get_u32(&g);
	r->forked = trace_get_u32(&g);
	r->status = (int32_t)trace_get_u32(&g);
	decode_failure(r, &g);
	return finish(&g, "recording", e);
}

#define TASK_BYTES 84 /* with an empty name */

static void encode_tasks(const struct trace_recording *r, struct strbuf *to)
{
	trace_put_u32(to, (uint32_t)r->tasks.count);
	for (size_t i = 0; i < r->tasks.count; i++) {
		const struct record_thread *t = &r->tasks.items[i].row;

		trace_put_u32(to, t->state);
		trace_put_u32(to, t->creator);
		trace_put_u32(to, t->index);
		trace_put_u32(to, (uint32_t)t->os_tid);
		trace_put_u64(to, t->entry);
		trace_put_u64(to, t->begin);
		trace_put_u64(to, t->end);
		trace_put_u64(to, t->waits_on);
		trace_put_u32(to, t->waits_at);
		trace_put_u32(to, t->ops);
		trace_put_u32(to, t->loss);
		trace_put_u32(to, t->lost_chunks);
		trace_put_u64(to, t->position);
		trace_put_u64(to, r->tasks.items[i].bits);
		trace_put_string(to, r->tasks.items[i].entry);
	}
}

static int decode_tasks(struct trace_recording *r, const void *bytes, size_t n, struct err *e)
{
	struct trace_get g;
	uint32_t count;

	trace_get_init(&g, bytes, n);
	count = trace_get_count(&g, TASK_BYTES);
	for (uint32_t i = 0; i < count && !g.bad; i++) {
		struct trace_task task = {.entry = NULL};
		struct record_thread *t = &task.row;

		t->state = trace_get_u32(&g);
		t->creator = trace_get_u32(&g);
		t->index = trace_get_u32(&g);
		t->os_tid = (int32_t)trace_get_u32(&g);
		t->entry = trace_get_u64(&g);
		t->begin = trace_get_u64(&g);
		t->end = trace_get_u64(&g);
		t->waits_on = trace_get_u64(&g);
		t->waits_at = trace_get_u32(&g);
		t->ops = trace_get_u32(&g);
		t->loss = trace_get_u32(&g);
		t->lost_chunks = trace_get_u32(&g);
		t->position = trace_get_u64(&g);
		task.bits = trace_get_u64(&g);
		task.entry = trace_get_string(&g);
		vec_push(&r->tasks, task);
	}
	return finish(&g, "tasks", e);
}

static size_t stream_bytes(const struct trace_task *t)
{
	return (size_t)(t->bits / 8 + (t->bits % 8 != 0));
}

static void encode_streams(const struct trace_recording *r, struct strbuf *to)
{
	for (size_t i = 0; i < r->tasks.count; i++)
		if (r->tasks.items[i].bits)
			strbuf_add_bytes(to, r->tasks.items[i].stream,
					 stream_bytes(&r->tasks.items[i]));
}

/* How long the streams are stands in "tasks", which is read before. */
static int decode_streams(struct trace_recording *r, const void *bytes, size_t n, struct err *e)
{
	struct trace_get g;

	trace_get_init(&g, bytes, n);
	for (size_t i = 0; i < r->tasks.count && !g.bad; i++) {
		struct trace_task *t = &r->tasks.items[i];
		const void *from = t->bits <= n * 8 ? trace_get_bytes(&g, stream_bytes(t)) : NULL;

		if (!t->bits)
			continue;
		if (!from) {
			g.bad = true;
			break;
		}
		t->stream = xmalloc(stream_bytes(t));
		memcpy(t->stream, from, stream_bytes(t));
	}
	return finish(&g, "streams", e);
}

#define STAMP_BYTES 32

static void encode_stamps(const struct trace_recording *r, struct strbuf *to)
{
	for (size_t i = 0; i < r->tasks.count; i++) {
		const struct trace_task *t = &r->tasks.items[i];

		trace_put_u32(to, (uint32_t)t->stamps.count);
		for (size_t k = 0; k < t->stamps.count; k++) {
			const struct record_stamp *s = &t->stamps.items[k];

			trace_put_u64(to, s->tsc);
			trace_put_u64(to, s->bits);
			trace_put_u64(to, s->object);
			trace_put_u32(to, s->ops);
			trace_put_u16(to, s->cpu);
			trace_put_u16(to, s->kind);
		}
	}
}

static int decode_stamps(struct trace_recording *r, const void *bytes, size_t n, struct err *e)
{
	struct trace_get g;

	trace_get_init(&g, bytes, n);
	for (size_t i = 0; i < r->tasks.count && !g.bad; i++) {
		uint32_t count = trace_get_count(&g, STAMP_BYTES);

		for (uint32_t k = 0; k < count && !g.bad; k++) {
			struct record_stamp s;

			s.tsc = trace_get_u64(&g);
			s.bits = trace_get_u64(&g);
			s.object = trace_get_u64(&g);
			s.ops = trace_get_u32(&g);
			s.cpu = trace_get_u16(&g);
			s.kind = trace_get_u16(&g);
			vec_push(&r->tasks.items[i].stamps, s);
		}
	}
	return finish(&g, "stamps", e);
}

#define INPUT_BYTES 36

static void encode_inputs(const struct trace_recording *r, struct strbuf *to)
{
	for (size_t i = 0; i < r->tasks.count; i++) {
		const struct trace_task *t = &r->tasks.items[i];

		trace_put_u32(to, (uint32_t)t->inputs.count);
		for (size_t k = 0; k < t->inputs.count; k++) {
			const struct trace_input *in = &t->inputs.items[k];

			trace_put_u64(to, (uint64_t)in->head.result);
			trace_put_u64(to, in->head.detail);
			trace_put_u64(to, in->head.bits);
			trace_put_u32(to, (uint32_t)in->head.error);
			trace_put_u16(to, in->head.kind);
			trace_put_u16(to, in->head.flags);
			trace_put_u32(to, in->head.data);
			if (in->head.data)
				strbuf_add_bytes(to, in->data, in->head.data);
		}
	}
}

static void decode_input(struct trace_task *t, struct trace_get *g)
{
	struct trace_input in = {.data = NULL};
	const void *from;

	in.head.result = (int64_t)trace_get_u64(g);
	in.head.detail = trace_get_u64(g);
	in.head.bits = trace_get_u64(g);
	in.head.error = (int32_t)trace_get_u32(g);
	in.head.kind = trace_get_u16(g);
	in.head.flags = trace_get_u16(g);
	in.head.data = trace_get_u32(g);
	from = trace_get_bytes(g, in.head.data);
	if (g->bad)
		return;
	in.head.bytes = (uint32_t)((sizeof(in.head) + (uint64_t)in.head.data + 7) & ~(uint64_t)7);
	if (in.head.data) {
		in.data = xmalloc(in.head.data);
		memcpy(in.data, from, in.head.data);
	}
	vec_push(&t->inputs, in);
}

static int decode_inputs(struct trace_recording *r, const void *bytes, size_t n, struct err *e)
{
	struct trace_get g;

	trace_get_init(&g, bytes, n);
	for (size_t i = 0; i < r->tasks.count && !g.bad; i++) {
		uint32_t count = trace_get_count(&g, INPUT_BYTES);

		for (uint32_t k = 0; k < count && !g.bad; k++)
			decode_input(&r->tasks.items[i], &g);
	}
	return finish(&g, "inputs", e);
}

static void encode_functions(const struct trace_recording *r, struct strbuf *to)
{
	trace_put_u32(to, (uint32_t)r->functions.count);
	for (size_t i = 0; i < r->functions.count; i++) {
		trace_put_u32(to, r->functions.items[i].unit);
		trace_put_string(to, r->functions.items[i].name);
	}
}

static int decode_functions(struct trace_recording *r, const void *bytes, size_t n, struct err *e)
{
	struct trace_get g;
	uint32_t count;

	trace_get_init(&g, bytes, n);
	count = trace_get_count(&g, 8);
	for (uint32_t i = 0; i < count && !g.bad; i++) {
		struct trace_function f = {.unit = trace_get_u32(&g)};

		f.name = trace_get_string(&g);
		vec_push(&r->functions, f);
	}
	return finish(&g, "functions", e);
}

static void encode_marks(const struct trace_recording *r, struct strbuf *to)
{
	trace_put_u32(to, (uint32_t)r->marks.count);
	for (size_t i = 0; i < r->marks.count; i++) {
		const struct trace_marks *m = &r->marks.items[i];

		trace_put_u64(to, m->head.canon);
		trace_put_u32(to, m->head.unit);
		trace_put_u32(to, m->head.points);
		trace_put_u32(to, m->head.flags);
		for (uint32_t w = 0; w < m->head.words; w++)
			trace_put_u64(to, m->words[w]);
	}
}

static int decode_marks(struct trace_recording *r, const void *bytes, size_t n, struct err *e)
{
	struct trace_get g;
	uint32_t count;

	trace_get_init(&g, bytes, n);
	count = trace_get_count(&g, 20);
	for (uint32_t i = 0; i < count && !g.bad; i++) {
		struct trace_marks m = {.head = {.magic = RECORD_MARKS_MAGIC}};

		m.head.canon = trace_get_u64(&g);
		m.head.unit = trace_get_u32(&g);
		m.head.points = trace_get_u32(&g);
		m.head.flags = trace_get_u32(&g);
		m.head.words = m.head.points / 64 + (m.head.points % 64 != 0);
		if ((uint64_t)m.head.words * 8 > n)
			g.bad = true;
		if (g.bad)
			break;
		m.words = xcalloc(m.head.words + 1, sizeof(*m.words));
		for (uint32_t w = 0; w < m.head.words; w++)
			m.words[w] = trace_get_u64(&g);
		vec_push(&r->marks, m);
	}
	return finish(&g, "marks", e);
}

static void encode_notes(const struct trace_recording *r, struct strbuf *to)
{
	trace_put_u32(to, (uint32_t)r->notes.count);
	for (size_t i = 0; i < r->notes.count; i++)
		trace_put_string(to, r->notes.items[i]);
}

static int decode_notes(struct trace_recording *r, const void *bytes, size_t n, struct err *e)
{
	struct trace_get g;
	uint32_t count;

	trace_get_init(&g, bytes, n);
	count = trace_get_count(&g, 4);
	for (uint32_t i = 0; i < count && !g.bad; i++) {
		char *text = trace_get_string(&g);

		if (text)
			vec_push(&r->notes, text);
	}
	return finish(&g, "notes", e);
}

const struct trace_recording_part trace_recording_parts[] = {
	{TRACE_PART_META, encode_meta, decode_meta},
	{TRACE_PART_RECORDING, encode_head, decode_head},
	{TRACE_PART_TASKS, encode_tasks, decode_tasks},
	{TRACE_PART_STREAMS, encode_streams, decode_streams},
	{TRACE_PART_STAMPS, encode_stamps, decode_stamps},
	{TRACE_PART_INPUTS, encode_inputs, decode_inputs},
	{TRACE_PART_FUNCTIONS, encode_functions, decode_functions},
	{TRACE_PART_MARKS, encode_marks, decode_marks},
	{TRACE_PART_SYMBOLS, encode_symbols, decode_symbols},
	{TRACE_PART_NOTES, encode_notes, decode_notes},
};

const size_t trace_recording_part_count =
	sizeof(trace_recording_parts) / sizeof(trace_recording_parts[0]);
