#include "repro/stamps.h"

#include <assert.h>

#include "base/vec.h"
#include "wire/event.h"

#define RECORD_ALL_STAMPED 512 /* operations of a thread that are all stamped */

struct anchor {
	uint32_t event;
	uint64_t time;
};

struct anchors {
	VEC_FIELDS(struct anchor);
};

static bool is_sync(unsigned kind)
{
	return kind >= RECORD_AT_CREATE && kind <= RECORD_AT_BARRIER;
}

/*
 * Stamps and events of one thread, by the number of operations before them, as far as they agree.
 * *end becomes the time of the first stamp whose event is not there.
 */
static void find_anchors(const struct trace_task *t, const uint8_t *kinds, uint32_t n,
			 struct anchors *out, uint64_t *end)
{
	uint32_t at = 0, ops = 0;

	for (size_t k = 0; k < t->stamps.count; k++) {
		const struct record_stamp *s = &t->stamps.items[k];

		if (!is_sync(s->kind))
			continue;
		while (at < n && (!trace_stamp_of(kinds[at], false) || ops < s->ops))
			ops += trace_stamp_of(kinds[at++], false) != 0;
		if (at >= n || ops != s->ops || trace_stamp_of(kinds[at], false) != s->kind) {
			*end = s->tsc;
			return;
		}
		if (!out->count || s->tsc >= vec_last(out).time)
			vec_push(out, ((struct anchor){at, s->tsc}));
	}
}

/* Events between two anchors share the time between them. */
static void spread(struct repro_span *spans, uint32_t first, uint32_t last, uint64_t from,
		   uint64_t to)
{
	assert(first <= last);
	for (uint32_t i = first; i < last; i++)
		spans[i] = (struct repro_span){from, to < from ? from : to,
					       (i - first + 1.0) / (last - first + 1.0)};
}

/* First and last time of the recording. */
static void find_range(const struct trace_recording *r, uint64_t *begin, uint64_t *end)
{
	*begin = UINT64_MAX;
	*end = 0;
	for (size_t i = 0; i < r->tasks.count; i++) {
		const struct trace_task *t = &r->tasks.items[i];

		if (t->row.begin && t->row.begin < *begin)
			*begin = t->row.begin;
		if (t->row.end > *end)
			*end = t->row.end;
		for (size_t k = 0; k < t->stamps.count; k++)
			if (t->stamps.items[k].tsc > *end)
				*end = t->stamps.items[k].tsc;
	}
	if (*begin > *end)
		*begin = *end;
}

uint64_t repro_stamps_spread(const struct trace_recording *r, uint32_t task, const uint8_t *kinds,
			     uint32_t n, struct repro_span *spans)
{
	struct anchors anchors = {NULL, 0, 0};
	uint64_t begin, end, found;
	uint32_t first = 0;

	find_range(r, &begin, &end);
	if (task < r->tasks.count) {
		const struct trace_task *t = &r->tasks.items[task];

		begin = t->row.begin ? t->row.begin : begin;
		end = t->row.end ? t->row.end : end;
		find_anchors(t, kinds, n, &anchors, &end);
	}
	for (size_t i = 0; i < anchors.count; i++) {
		spread(spans, first, anchors.items[i].event, begin, anchors.items[i].time);
		first = anchors.items[i].event;
		begin = anchors.items[i].time;
		spans[first++] = (struct repro_span){begin, begin, 0};
	}
	spread(spans, first, n, begin, end);
	found = anchors.count;
	vec_free(&anchors);
	return found;
}

uint32_t repro_stamps_operations(const struct trace_recording *r, uint32_t task)
{
	const struct trace_task *t = &r->tasks.items[task];
	uint32_t next = 0;

	for (size_t k = 0; k < t->stamps.count; k++)
		if (is_sync(t->stamps.items[k].kind))
			next = t->stamps.items[k].ops + 1;
	/* After the first ones a real thread stamps only some of its operations. */
	return r->backend == RECORD_SIM || next < RECORD_ALL_STAMPED ? next : UINT32_MAX;
}
