#include "predict/order/sync.h"

#include <string.h>

/* Core position of the target, the first one its thread may not reach. */
static uint32_t limit_of(const struct predict_core *c, const struct predict_question *q,
			 uint32_t thread)
{
	uint32_t limit = c->start[thread + 1] - c->start[thread];

	for (size_t i = 0; i < q->targets.count; i++) {
		uint32_t target = q->targets.items[i];

		if (c->t->events.items[target].thread == thread) {
			uint32_t at = predict_core_at_or_after(c, predict_trace_head(c->t, target));

			if (at != PREDICT_NONE && predict_core_pos(c, at) < limit)
				limit = predict_core_pos(c, at);
		}
	}
	return limit;
}

static bool within_limits(const struct predict_core *c, const struct predict_question *q,
			  const uint32_t *cut)
{
	for (size_t i = 0; i < q->targets.count; i++) {
		uint32_t thread = c->t->events.items[q->targets.items[i]].thread;

		if (cut[thread] > limit_of(c, q, thread))
			return false;
	}
	return true;
}

/* An acquisition in the cut, of another thread, later in the trace than acq, that excludes it. */
static bool overtaken(const struct predict_core *c, const uint32_t *cut, uint32_t acq)
{
	const struct predict_index *x = c->shared[acq] ? &c->exclusives : &c->sections;
	uint32_t lock = c->object[acq];

	for (uint32_t i = x->first[lock]; i < x->first[lock + 1]; i++) {
		const struct predict_group *g = &x->groups[i];
		uint32_t other;

		if (g->thread == c->thread[acq])
			continue;
		other = predict_core_last_below(c, x, g, cut[g->thread]);
		if (other != PREDICT_NONE && c->ev[other] > c->ev[acq])
			return true;
	}
	return false;
}

/* Releases what must be released in one thread; false when it cannot be. */
static bool release_thread(const struct predict_core *c, const struct predict_rows *rows,
			   uint32_t thread, uint32_t *cut)
{
	const struct predict_trace *t = c->t;
	uint32_t tail = c->start[thread] + cut[thread] - 1;
	uint32_t list = predict_trace_held_after(t, c->ev[tail]);

	for (; list != 0; list = t->lists.items[list].next) {
		uint32_t acq = c->of[t->lists.items[list].acq];

		if (acq == PREDICT_NONE || !overtaken(c, cut, acq))
			continue;
		if (c->match[acq] == PREDICT_NONE)
			return false;
		predict_rows_join(rows, c->match[acq], cut);
	}
	return true;
}

static uint64_t size_of(const struct predict_core *c, const uint32_t *cut)
{
	uint64_t sum = 0;

	for (uint32_t i = 0; i < c->threads; i++)
		sum += cut[i];
	return sum;
}

bool predict_sync_closure(const struct predict_core *c, const struct predict_rows *rows,
			  const struct predict_question *q, uint32_t *cut)
{
	uint64_t size, old;

	memset(cut, 0, c->threads * sizeof(*cut));
	for (size_t i = 0; i < q->targets.count; i++) {
		uint32_t thread = c->t->events.items[q->targets.items[i]].thread;
		uint32_t limit = limit_of(c, q, thread);

		if (limit > 0)
			predict_rows_join(rows, c->start[thread] + limit - 1, cut);
		else if (c->t->fork_of[thread] != PREDICT_NONE)
			predict_rows_join(rows, c->of[c->t->fork_of[thread]], cut);
	}
	size = size_of(c, cut);
	do {
		if (!within_limits(c, q, cut))
			return false;
		old = size;
		for (uint32_t i = 0; i < c->threads; i++) {
			if (cut[i] > 0 && !release_thread(c, rows, i, cut))
				return false;
		}
		size = size_of(c, cut);
	} while (size != old);
	return true;
}
