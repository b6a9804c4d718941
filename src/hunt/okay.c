#include "hunt/okay.h"

#include <assert.h>
#include <stdlib.h>

#include "hunt/query.h"
#include "solve/strace/schedule.h"
#include "symex/follow/convert.h"

#define MAX_CANONICAL 400 /* events; every move is a run of the whole order */

/* Events that count: the process has not ended before. */
static uint32_t *all_events(const struct symex_trace *t)
{
	uint32_t *keep = xcalloc(t->threads.count + 1, sizeof(*keep));

	for (size_t i = 0; i < t->threads.count; i++)
		keep[i] = (uint32_t)t->threads.items[i].events.count;
	return keep;
}

/* The number of the last event an order has of the thread before its `events'-th; 0: none. */
static size_t place_in(const struct follow_convert *x, const struct strace_list *order,
		       uint32_t thread, uint32_t events)
{
	const struct symex_thread *th = &x->from->threads.items[thread];
	size_t place = 0;

	for (size_t i = 0; i < order->count && events; i++) {
		const struct strace_event *e = &x->t.events.items[order->items[i]];

		if (e->thread == thread && e->tag <= th->events.items[events - 1].tix)
			place = i + 1;
	}
	return place;
}

/* Whether the order is still one with the events at i and i + 1 exchanged; it is then. */
static bool exchange(struct strace_sim *sim, struct strace_list *order, size_t i)
{
	uint32_t first = order->items[i];

	order->items[i] = order->items[i + 1];
	order->items[i + 1] = first;
	strace_sim_run(sim, order->items);
	if (strace_sim_good(sim))
		return true;
	order->items[i + 1] = order->items[i];
	order->items[i] = first;
	return false;
}

static void make_canonical(const struct follow_convert *x, const struct hunt_target *target,
			   struct strace_list *order)
{
	size_t end = place_in(x, order, target->thread, target->events);
	struct strace_sim sim;

	if (order->count > MAX_CANONICAL)
		return;
	strace_sim_init(&sim, &x->t, false);
	for (size_t i = end; i-- > 0;) {
		for (size_t k = i; k + 1 < end; k++) {
			const struct strace_event *e = x->t.events.items;

			if (e[order->items[k]].thread == target->thread ||
			    e[order->items[k + 1]].thread != target->thread ||
			    !exchange(&sim, order, k))
				break;
		}
	}
	strace_sim_fini(&sim);
}

static int nearer(const void *a, const void *b)
{
	const struct hunt_branch *x = a, *y = b;

	if (x->after != y->after)
		return x->after ? 1 : -1;
	if (x->distance != y->distance)
		return x->distance < y->distance ? -1 : 1;
	if (x->thread != y->thread)
		return x->thread < y->thread ? -1 : 1;
	return x->way > y->way ? -1 : x->way < y->way;
}

static void measure(const struct hunt_exec *x, const struct follow_convert *c,
		    const struct strace_list *order, const struct hunt_target *target,
		    struct hunt_branches *branches)
{
	size_t end = place_in(c, order, target->thread, target->events), kept = 0;

	for (size_t i = 0; i < branches->count; i++) {
		struct hunt_branch b = branches->items[i];
		const struct symex_thread *th = &x->trace.threads.items[b.thread];
		const struct hunt_way *w = &x->paths.items[b.thread].ways.items[b.way];
		uint32_t events = th->conditions.items[w->condition].event;
		size_t at = place_in(c, order, b.thread, events);

		/* Behind the assertion, in its own thread, it is too late. */
		if (b.thread == target->thread && events > target->events)
			continue;
		b.after = at > end;
		b.distance = b.after ? at - end : end - at;
		branches->items[kept++] = b;
	}
	branches->count = kept;
	if (kept)
		qsort(branches->items, kept, sizeof(branches->items[0]), nearer);
}

/* What is wanted of a schedule that passes; NULL: nothing of that kind. */
struct wanted {
	struct hunt_branches *branches;
	struct model_schedule *schedule;
};

static void take_schedule(const struct follow_convert *c, const uint32_t *order,
			  struct model_schedule *out)
{
	struct strace_sim sim;

	strace_sim_init(&sim, &c->t, false);
	strace_sim_run(&sim, order);
	assert(strace_sim_good(&sim));
	strace_schedule_make(&sim, order, MODEL_SC, STRACE_NONE, out);
	strace_sim_fini(&sim);
}

static enum solve_answer solve(const struct hunt_exec *x, struct follow_convert *c,
			       const struct hunt_target *target, const struct limit *limit,
			       const struct wanted *w)
{
	struct strace_solve_opts o = {.model = MODEL_SC, .limit = limit};
	struct strace_solution s;
	enum solve_answer answer;

	strace_solve(&c->t, &o, &s);
	answer = s.answer;
	if (answer == SOLVE_SAT && w->branches) {
		make_canonical(c, target, &s.order);
		measure(x, c, &s.order, target, w->branches);
	}
	if (answer == SOLVE_SAT && w->schedule)
		take_schedule(c, s.order.items, w->schedule);
	strace_solution_fini(&s);
	return answer;
}

static enum solve_answer ask(const struct hunt_exec *x, const struct hunt_target *target,
			     const struct limit *limit, const struct wanted *w)
{
	uint32_t *keep = all_events(&x->trace);
	struct follow_convert_opts o = {
		.may_fail = STRACE_NONE, .keep = keep, .partly = true, .only = STRACE_NONE};
	enum solve_answer answer = SOLVE_UNKNOWN;
	struct follow_convert c;
	struct err why = ERR_INIT;
	int rc = follow_convert(&c, &x->trace, &o, &why);

	assert(target->thread < x->trace.threads.count);
	if (rc == 0 && target->good) {
		strace_add_condition(&c.t, follow_convert_piece(&c, target->good), STRACE_PATH);
		vec_last(&c.t.conditions).thread = target->thread;
	}
	if (rc == 0)
		answer = solve(x, &c, target, limit, w);
	follow_convert_fini(&c);
	free(keep);
	return answer;
}

enum solve_answer hunt_okay(const struct hunt_exec *x, const struct hunt_target *target,
			    const struct limit *limit, struct hunt_branches *branches)
{
	struct wanted w = {.branches = branches};

	return ask(x, target, limit, &w);
}

enum solve_answer hunt_okay_schedule(const struct hunt_exec *x, const struct limit *limit,
				     struct model_schedule *out)
{
	struct hunt_target nowhere = {0, 0, EXPR_NONE};
	struct wanted w = {.schedule = out};

	return ask(x, &nowhere, limit, &w);
}
