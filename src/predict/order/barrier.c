#include "predict/order/barrier.h"

#include <assert.h>
#include <stdlib.h>

#include "base/mem.h"

#define SMALL 8 /* edges of a round that are not worth saving */

/* The events of one round, in the order of the trace: arrivals, then leaves. */
struct round {
	const uint32_t *events;
	uint32_t arrivals, count;
};

static bool is_branch(const struct predict_trace *t, uint32_t thread, uint32_t pos)
{
	return t->events.items[t->order[t->start[thread] + pos]].op == OP_BRANCH;
}

/*
 * Does the thread go from arrival to leave without doing anything?  A branch there is nothing new
 * when the arrival came right after one.
 */
static bool only_waits(const struct predict_trace *t, uint32_t arrival, uint32_t leave)
{
	uint32_t thread = t->events.items[leave].thread;
	bool branch = t->pos[arrival] > 0 && is_branch(t, thread, t->pos[arrival] - 1);

	for (uint32_t p = t->pos[arrival] + 1; p < t->pos[leave]; p++) {
		uint8_t op = t->events.items[t->order[t->start[thread] + p]].op;

		if (op != OP_NOP && op != OP_BEGIN && op != OP_END && !(op == OP_BRANCH && branch))
			return false;
	}
	return true;
}

/* The leave that may stand for all of them, PREDICT_NONE when there is none. */
static uint32_t stand_in(const struct predict_trace *t, const uint8_t *keep, const struct round *r,
			 uint32_t *arrival_of)
{
	uint32_t found = PREDICT_NONE;

	for (uint32_t i = 0; i < r->arrivals; i++)
		arrival_of[t->events.items[r->events[i]].thread] = r->events[i];
	for (uint32_t i = r->arrivals; i < r->count && found == PREDICT_NONE; i++) {
		uint32_t leave = r->events[i], thread = t->events.items[leave].thread;

		if ((keep == NULL || !keep[leave]) && arrival_of[thread] != PREDICT_NONE &&
		    only_waits(t, arrival_of[thread], leave))
			found = leave;
	}
	for (uint32_t i = 0; i < r->arrivals; i++)
		arrival_of[t->events.items[r->events[i]].thread] = PREDICT_NONE;
	return found;
}

static void round_edges(const struct round *r, uint32_t hub, struct predict_pairs *out)
{
	for (uint32_t i = r->arrivals; i < r->count; i++) {
		uint32_t leave = r->events[i];

		if (hub != PREDICT_NONE && leave != hub) {
			vec_push(out, ((struct predict_pair){hub, leave}));
			continue;
		}
		for (uint32_t a = 0; a < r->arrivals; a++)
			vec_push(out, ((struct predict_pair){r->events[a], leave}));
	}
}

/* Meetings sorted by round: those of round r are items[first[r] .. first[r + 1]). */
static uint32_t *by_round(const struct predict_trace *t, uint32_t **first)
{
	uint32_t *items = xmalloc((t->meetings.count + 1) * sizeof(*items));
	uint32_t *f = xcalloc((size_t)t->rounds + 2, sizeof(*f));

	for (size_t i = 0; i < t->meetings.count; i++)
		f[t->meetings.items[i].round + 2]++;
	for (uint32_t r = 2; r < t->rounds + 2; r++)
		f[r] += f[r - 1];
	for (size_t i = 0; i < t->meetings.count; i++)
		items[f[t->meetings.items[i].round + 1]++] = t->meetings.items[i].event;
	*first = f;
	return items;
}

void predict_barrier_edges(const struct predict_trace *t, const uint8_t *keep,
			   struct predict_pairs *out)
{
	uint32_t *first, *items, *arrival_of;

	if (t->rounds == 0)
		return;
	items = by_round(t, &first);
	arrival_of = xmalloc((t->thread_count + 1) * sizeof(*arrival_of));
	for (uint32_t i = 0; i < t->thread_count; i++)
		arrival_of[i] = PREDICT_NONE;
	for (uint32_t i = 0; i < t->rounds; i++) {
		struct round r = {items + first[i], t->arrivals[i], first[i + 1] - first[i]};
		uint64_t edges = (uint64_t)r.arrivals * (r.count - r.arrivals);

		assert(r.arrivals <= r.count);
		round_edges(&r, edges > SMALL ? stand_in(t, keep, &r, arrival_of) : PREDICT_NONE,
			    out);
	}
	free(items);
	free(first);
	free(arrival_of);
}
