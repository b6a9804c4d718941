#include "report/sharing.h"

#include <stdlib.h>

/* Aligned eights of a block operation that are looked at. */
#define RANGE_MAX 64
#define LANES 8

/* One event at one aligned eight of memory; bit i of mask is byte i of the eight. */
struct touch {
	uint64_t eight;
	uint32_t event;
	uint8_t mask;
};

struct sharing {
	const struct trace_bundle *b;
	uint8_t *marks;
	uint32_t begin; /* first event after the second thread was made; 0 when that is not known */
	VEC(struct touch) touches;
	VEC(uint32_t) readers; /* of a byte since its last write: one event per thread */
};

bool report_sharing_is_access(const struct wire_event *v)
{
	switch (v->kind) {
	case EVENT_READ:
	case EVENT_WRITE:
	case EVENT_RMW:
	case EVENT_ISSUE:
	case EVENT_READ_RANGE:
	case EVENT_WRITE_RANGE:
	case EVENT_CAS_FAIL:
		return true;
	default:
		return false;
	}
}

/* A store in a buffer counts: that others do not see it yet is often the point. */
bool report_sharing_is_write(const struct wire_event *v)
{
	return v->kind == EVENT_ISSUE || v->kind == EVENT_WRITE || v->kind == EVENT_RMW ||
	       v->kind == EVENT_WRITE_RANGE;
}

static const struct wire_event *event_of(const struct sharing *s, uint32_t event)
{
	return &s->b->events.items[event];
}

/* Bytes of the eight that [addr, end) covers. */
static uint8_t cover(uint64_t eight, uint64_t addr, uint64_t end)
{
	uint8_t mask = 0;

	for (unsigned i = 0; i < LANES; i++)
		if (eight * LANES + i >= addr && eight * LANES + i < end)
			mask |= (uint8_t)(1u << i);
	return mask;
}

static void add_touches(struct sharing *s, uint32_t event)
{
	const struct wire_event *v = event_of(s, event);
	bool range = v->kind == EVENT_READ_RANGE || v->kind == EVENT_WRITE_RANGE;
	uint64_t bytes = range ? v->value : v->size, end;

	if (bytes == 0)
		bytes = 1;
	if (bytes > RANGE_MAX * LANES)
		bytes = RANGE_MAX * LANES;
	end = v->addr + bytes;
	for (uint64_t eight = v->addr / LANES; eight * LANES < end; eight++) {
		struct touch t = {eight, event, cover(eight, v->addr, end)};

		vec_push(&s->touches, t);
	}
}

static int by_place(const void *a, const void *b)
{
	const struct touch *x = a, *y = b;

	if (x->eight != y->eight)
		return x->eight < y->eight ? -1 : 1;
	return x->event < y->event ? -1 : x->event > y->event;
}

static void collect(struct sharing *s)
{
	size_t n = s->b->events.count;

	for (uint32_t i = 0; i < n && i < UINT32_MAX; i++) {
		if (s->begin == 0 && event_of(s, i)->kind == EVENT_THREAD_CREATE)
			s->begin = i + 1;
		if (report_sharing_is_access(event_of(s, i)))
			add_touches(s, i);
	}
	if (s->touches.count > 1)
		qsort(s->touches.items, s->touches.count, sizeof(struct touch), by_place);
}

/* Which bytes of the eight at touches [from, to) are shared. */
static uint8_t find_shared(const struct sharing *s, size_t from, size_t to)
{
	uint16_t first[LANES];
	uint8_t seen = 0, several = 0, written = 0;

	for (size_t i = from; i < to; i++) {
		const struct touch *t = &s->touches.items[i];
		const struct wire_event *v = event_of(s, t->event);

		for (unsigned lane = 0; lane < LANES; lane++) {
			uint8_t bit = (uint8_t)(1u << lane);

			if (!(t->mask & bit))
				continue;
			if (!(seen & bit))
				first[lane] = v->tid;
			else if (first[lane] != v->tid)
				several |= bit;
			seen |= bit;
		}
		if (report_sharing_is_write(v) && t->event >= s->begin)
			written |= t->mask;
	}
	return several & written;
}

static void mark_pair(struct sharing *s, uint32_t a, uint32_t b)
{
	s->marks[a] |= SHARING_CONFLICT;
	s->marks[b] |= SHARING_CONFLICT;
}

/* Remembers a read; true when its thread had not read the byte since the last write. */
static bool add_reader(struct sharing *s, uint32_t event)
{
	for (size_t i = 0; i < s->readers.count; i++) {
		if (event_of(s, s->readers.items[i])->tid != event_of(s, event)->tid)
			continue;
		s->readers.items[i] = event;
		return false;
	}
	vec_push(&s->readers, event);
	return true;
}

static void see_write(struct sharing *s, uint32_t event)
{
	for (size_t i = 0; i < s->readers.count; i++)
		if (event_of(s, s->readers.items[i])->tid != event_of(s, event)->tid)
			mark_pair(s, s->readers.items[i], event);
	vec_clear(&s->readers);
}

static void mark_conflicts(struct sharing *s, size_t from, size_t to, uint8_t lane)
{
	uint32_t last = UINT32_MAX; /* write */

	vec_clear(&s->readers);
	for (size_t i = from; i < to; i++) {
		const struct touch *t = &s->touches.items[i];
		const struct wire_event *v = event_of(s, t->event);
		bool other = last != UINT32_MAX && event_of(s, last)->tid != v->tid;

		if (!(t->mask & lane) || t->event < s->begin)
			continue;
		if (report_sharing_is_write(v)) {
			if (other)
				mark_pair(s, last, t->event);
			see_write(s, t->event);
			last = t->event;
		} else if (add_reader(s, t->event) && other) {
			mark_pair(s, last, t->event);
		}
	}
}

static void look_at_eight(struct sharing *s, size_t from, size_t to)
{
	uint8_t shared = find_shared(s, from, to);

	for (size_t i = from; i < to; i++)
		if (s->touches.items[i].mask & shared)
			s->marks[s->touches.items[i].event] |= SHARING_SHARED;
	for (unsigned lane = 0; lane < LANES; lane++)
		if (shared & (1u << lane))
			mark_conflicts(s, from, to, (uint8_t)(1u << lane));
}

void report_sharing(const struct trace_bundle *b, uint8_t *marks)
{
	struct sharing s = {.b = b, .marks = marks};
	size_t from = 0;

	collect(&s);
	while (from < s.touches.count) {
		size_t to = from;

		while (to < s.touches.count &&
		       s.touches.items[to].eight == s.touches.items[from].eight)
			to++;
		look_at_eight(&s, from, to);
		from = to;
	}
	vec_free(&s.touches);
	vec_free(&s.readers);
}
