#include "trace/bundle/records.h"

#include <endian.h>
#include <stdlib.h>
#include <string.h>

#include "trace/codec.h"

static void store_u32(uint8_t *p, uint32_t value)
{
	value = htole32(value);
	memcpy(p, &value, sizeof(value));
}

static void store_u64(uint8_t *p, uint64_t value)
{
	value = htole64(value);
	memcpy(p, &value, sizeof(value));
}

void trace_event_encode(const struct wire_event *event, uint8_t *to)
{
	store_u64(to, event->addr);
	store_u64(to + 8, event->value);
	store_u32(to + 16, event->site);
	store_u32(to + 20, event->tix);
	store_u32(to + 24, event->aux);
	to[28] = (uint8_t)event->tid;
	to[29] = (uint8_t)(event->tid >> 8);
	to[30] = event->kind;
	to[31] = event->size;
}

void trace_event_decode(struct wire_event *event, const uint8_t *from)
{
	event->addr = trace_load_u64(from);
	event->value = trace_load_u64(from + 8);
	event->site = trace_load_u32(from + 16);
	event->tix = trace_load_u32(from + 20);
	event->aux = trace_load_u32(from + 24);
	event->tid = trace_load_u16(from + 28);
	event->kind = from[30];
	event->size = from[31];
}

void trace_schedule_encode(const struct trace_bundle *b, struct strbuf *to)
{
	for (size_t i = 0; i < b->schedule.count; i++) {
		const struct wire_choice *c = &b->schedule.items[i];

		trace_put_u8(to, c->kind);
		trace_put_u8(to, c->zero);
		trace_put_u16(to, c->tid);
		trace_put_u32(to, c->arg);
	}
}

int trace_schedule_decode(struct trace_bundle *b, const void *bytes, size_t n, struct err *e)
{
	const uint8_t *p = bytes;

	if (n % TRACE_CHOICE_BYTES)
		return err_set(e, ERR_FORMAT, "schedule ends inside a choice");
	vec_reserve(&b->schedule, n / TRACE_CHOICE_BYTES);
	for (size_t i = 0; i < n; i += TRACE_CHOICE_BYTES) {
		struct wire_choice c = {
			.kind = p[i],
			.zero = p[i + 1],
			.tid = trace_load_u16(p + i + 2),
			.arg = trace_load_u32(p + i + 4),
		};
		vec_push(&b->schedule, c);
	}
	return 0;
}

static void encode_thread(const struct wire_thread *t, struct strbuf *to)
{
	trace_put_u16(to, t->tid);
	trace_put_u16(to, t->parent);
	trace_put_u8(to, t->state);
	trace_put_u8(to, t->pending_kind);
	trace_put_u8(to, t->held_count);
	trace_put_u8(to, t->flags);
	trace_put_u32(to, t->pending_site);
	trace_put_u32(to, t->create_site);
	trace_put_u64(to, t->pending_addr);
	trace_put_u32(to, t->waits_for);
	trace_put_u32(to, t->child_index);
	trace_put_u64(to, t->start);
	trace_put_u64(to, t->events);
	trace_put_string(to, t->name);
	for (unsigned i = 0; i < t->held_count; i++) {
		trace_put_u64(to, t->held[i].addr);
		trace_put_u32(to, t->held[i].site);
		trace_put_u32(to, t->held[i].kind);
	}
}

static void decode_thread(struct wire_thread *t, struct trace_get *g)
{
	memset(t, 0, sizeof(*t));
	t->tid = trace_get_u16(g);
	t->parent = trace_get_u16(g);
	t->state = trace_get_u8(g);
	t->pending_kind = trace_get_u8(g);
	t->held_count = trace_get_u8(g);
	t->flags = trace_get_u8(g);
	t->pending_site = trace_get_u32(g);
	t->create_site = trace_get_u32(g);
	t->pending_addr = trace_get_u64(g);
	t->waits_for = trace_get_u32(g);
	t->child_index = trace_get_u32(g);
	t->start = trace_get_u64(g);
	t->events = trace_get_u64(g);
	trace_get_text(g, t->name, sizeof(t->name));
	if (t->held_count > WIRE_MAX_HELD) {
		g->bad = true;
		return;
	}
	for (unsigned i = 0; i < t->held_count; i++) {
		t->held[i].addr = trace_get_u64(g);
		t->held[i].site = trace_get_u32(g);
		t->held[i].kind = trace_get_u32(g);
	}
}

void trace_threads_encode(const struct trace_bundle *b, struct strbuf *to)
{
	trace_put_u32(to, (uint32_t)b->threads.count);
	for (size_t i = 0; i < b->threads.count; i++)
		encode_thread(&b->threads.items[i], to);
}

int trace_threads_decode(struct trace_bundle *b, const void *bytes, size_t n, struct err *e)
{
	struct trace_get g;

	trace_get_init(&g, bytes, n);
	/* 52 bytes: a thread without a name that holds nothing. */
	for (uint32_t left = trace_get_count(&g, 52); left && !g.bad; left--) {
		struct wire_thread t;

		decode_thread(&t, &g);
		vec_push(&b->threads, t);
	}
	if (!trace_get_finished(&g))
		return err_set(e, ERR_FORMAT, "threads is malformed");
	return 0;
}

void trace_failure_encode(const struct trace_bundle *b, struct strbuf *to)
{
	const struct wire_failure *f = &b->outcome.failure;

	trace_put_u32(to, b->outcome.outcome);
	trace_put_string(to, b->outcome.reason);
	trace_put_u32(to, f->kind);
	trace_put_u32(to, f->tid);
	trace_put_u32(to, f->site);
	trace_put_u32(to, f->object);
	trace_put_u64(to, f->addr);
	trace_put_u64(to, f->value);
	trace_put_u64(to, f->object_base);
	trace_put_u64(to, f->object_size);
	trace_put_u32(to, f->alloc_site);
	trace_put_u32(to, f->alloc_tid);
	trace_put_u32(to, f->free_site);
	trace_put_u32(to, f->free_tid);
	trace_put_string(to, f->text);
	trace_put_u32(to, f->stack_depth);
	for (uint32_t i = 0; i < f->stack_depth; i++)
		trace_put_u64(to, f->stack[i]);
}

int trace_failure_decode(struct trace_bundle *b, const void *bytes, size_t n, struct err *e)
{
	struct wire_failure *f = &b->outcome.failure;
	struct trace_get g;

	trace_get_init(&g, bytes, n);
	b->outcome.outcome = trace_get_u32(&g);
	trace_get_text(&g, b->outcome.reason, sizeof(b->outcome.reason));
	f->kind = trace_get_u32(&g);
	f->tid = trace_get_u32(&g);
	f->site = trace_get_u32(&g);
	f->object = trace_get_u32(&g);
	f->addr = trace_get_u64(&g);
	f->value = trace_get_u64(&g);
	f->object_base = trace_get_u64(&g);
	f->object_size = trace_get_u64(&g);
	f->alloc_site = trace_get_u32(&g);
	f->alloc_tid = trace_get_u32(&g);
	f->free_site = trace_get_u32(&g);
	f->free_tid = trace_get_u32(&g);
	trace_get_text(&g, f->text, sizeof(f->text));
	f->stack_depth = trace_get_count(&g, 8);
	if (f->stack_depth > WIRE_MAX_STACK) {
		f->stack_depth = 0;
		g.bad = true;
	}
	for (uint32_t i = 0; i < f->stack_depth; i++)
		f->stack[i] = trace_get_u64(&g);
	if (!trace_get_finished(&g))
		return err_set(e, ERR_FORMAT, "failure is malformed");
	return 0;
}

void trace_notes_encode(const struct trace_bundle *b, struct strbuf *to)
{
	trace_put_u32(to, (uint32_t)b->notes.count);
	for (size_t i = 0; i < b->notes.count; i++)
		trace_put_string(to, b->notes.items[i]);
}

int trace_notes_decode(struct trace_bundle *b, const void *bytes, size_t n, struct err *e)
{
	struct trace_get g;

	trace_get_init(&g, bytes, n);
	for (uint32_t left = trace_get_count(&g, 4); left && !g.bad; left--) {
		char *note = trace_get_string(&g);

		if (note)
			vec_push(&b->notes, note);
	}
	if (!trace_get_finished(&g))
		return err_set(e, ERR_FORMAT, "notes is malformed");
	return 0;
}

static void encode_stream(const char *text, size_t n, struct strbuf *to)
{
	trace_put_u8(to, text != NULL);
	trace_put_u64(to, text ? n : 0);
	strbuf_add_bytes(to, text, text ? n : 0);
}

static char *decode_stream(struct trace_get *g, size_t *n)
{
	uint8_t captured = trace_get_u8(g);
	uint64_t bytes = trace_get_u64(g);
	const void *p = trace_get_bytes(g, bytes);
	char *text;

	if (captured > 1 || (!captured && bytes))
		g->bad = true;
	if (!p || !captured || g->bad)
		return NULL;
	/* Not xstrndup(): a program may print NULs. */
	text = xmalloc(bytes + 1);
	memcpy(text, p, bytes);
	text[bytes] = '\0';
	*n = bytes;
	return text;
}

void trace_output_encode(const struct trace_bundle *b, struct strbuf *to)
{
	encode_stream(b->output.out, b->output.out_bytes, to);
	encode_stream(b->output.err, b->output.err_bytes, to);
}

int trace_output_decode(struct trace_bundle *b, const void *bytes, size_t n, struct err *e)
{
	struct trace_get g;

	trace_get_init(&g, bytes, n);
	b->output.out = decode_stream(&g, &b->output.out_bytes);
	b->output.err = decode_stream(&g, &b->output.err_bytes);
	if (!trace_get_finished(&g))
		return err_set(e, ERR_FORMAT, "output is malformed");
	return 0;
}

static const struct {
	const char *name;
	size_t offset;
} counters[] = {
#define X(name, text) {#name, offsetof(struct trace_counters, name)},
#include "trace/bundle/counters.def"
#undef X
};
#define COUNTERS (sizeof(counters) / sizeof(counters[0]))

void trace_counters_encode(const struct trace_bundle *b, struct strbuf *to)
{
	trace_put_u32(to, COUNTERS);
	for (size_t i = 0; i < COUNTERS; i++) {
		uint64_t value;

		memcpy(&value, (const char *)&b->counters + counters[i].offset, sizeof(value));
		trace_put_string(to, counters[i].name);
		trace_put_u64(to, value);
	}
}

int trace_counters_decode(struct trace_bundle *b, const void *bytes, size_t n, struct err *e)
{
	struct trace_get g;

	trace_get_init(&g, bytes, n);
	for (uint32_t left = trace_get_count(&g, 12); left && !g.bad; left--) {
		char *name = trace_get_string(&g);
		uint64_t value = trace_get_u64(&g);

		for (size_t i = 0; i < COUNTERS && name && !g.bad; i++) {
			if (!strcmp(name, counters[i].name))
				memcpy((char *)&b->counters + counters[i].offset, &value,
				       sizeof(value));
		}
		free(name);
	}
	if (!trace_get_finished(&g))
		return err_set(e, ERR_FORMAT, "counters is malformed");
	return 0;
}
