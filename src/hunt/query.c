#include "hunt/query.h"

#include <assert.h>
#include <stdio.h>

#include "symex/follow/convert.h"
#include "solve/strace/schedule.h"

void hunt_reply_fini(struct hunt_reply *r)
{
	vec_free(&r->schedule);
}

/* A thread that is created behind the end of its parent does not exist. */
static void drop_unborn(const struct symex_trace *t, uint32_t *keep)
{
	for (uint32_t i = 1; i < t->threads.count; i++) {
		uint32_t parent = t->threads.items[i].parent;
		const struct symex_thread *p = &t->threads.items[parent < i ? parent : 0];
		uint32_t n = keep[p->thread];

		if (n < p->events.count && p->events.items[n].tix <= t->threads.items[i].create_tix)
			keep[i] = 0;
	}
}

/* How much of each thread counts: the end of the process has not come. */
static uint32_t *find_ends(const struct symex_trace *t, const struct hunt_question *q)
{
	uint32_t *keep = xcalloc(t->threads.count + 1, sizeof(*keep));

	for (uint32_t i = 0; i < t->threads.count; i++) {
		const struct symex_thread *th = &t->threads.items[i];

		keep[i] = (uint32_t)th->events.count;
		for (uint32_t k = 0; k < keep[i] && i != q->thread; k++)
			if (th->events.items[k].kind == EVENT_EXIT)
				keep[i] = k;
	}
	keep[q->thread] = q->events;
	drop_unborn(t, keep);
	return keep;
}

static void take_order(struct follow_convert *x, const struct hunt_question *q,
		       const struct strace_solution *s, struct hunt_reply *out)
{
	struct strace_sim sim;

	strace_sim_init(&sim, &x->t, false);
	strace_sim_run(&sim, s->order.items);
	assert(strace_sim_good(&sim));
	strace_schedule_make(&sim, s->order.items, MODEL_SC, q->thread, &out->schedule);
	if (q->value)
		out->value = x->t.values.eval(x->t.values.arg, follow_convert_piece(x, q->value),
					      sim.value);
	strace_sim_fini(&sim);
}

static void solve(struct follow_convert *x, const struct hunt_question *q, struct hunt_reply *out)
{
	struct strace_solve_opts o = {.model = MODEL_SC, .limit = q->limit};
	struct strace_solution s;

	strace_solve(&x->t, &o, &s);
	out->answer = s.answer;
	out->rounds = s.rounds;
	out->events = x->t.events.count;
	if (s.answer == SOLVE_SAT)
		take_order(x, q, &s, out);
	else if (s.answer == SOLVE_UNKNOWN)
		snprintf(out->reason, sizeof(out->reason), "no answer after %llu rounds",
			 (unsigned long long)s.rounds);
	strace_solution_fini(&s);
}

void hunt_ask(const struct hunt_exec *x, const struct hunt_question *q, struct hunt_reply *out)
{
	const struct symex_trace *t = &x->trace;
	uint32_t *keep = find_ends(t, q);
	struct follow_convert_opts o = {.may_fail = STRACE_NONE,
					.keep = keep,
					.partly = true,
					.only = STRACE_NONE,
					.ends = true,
					.end_thread = q->thread,
					.conditions = q->conditions};
	struct follow_convert c;
	struct err why = ERR_INIT;
	int rc;

	assert(q->thread < t->threads.count);
	*out = (struct hunt_reply){.answer = SOLVE_UNKNOWN};
	rc = follow_convert(&c, t, &o, &why);
	if (rc == 0 && q->also) {
		strace_add_condition(&c.t, follow_convert_piece(&c, q->also), STRACE_BUG);
		vec_last(&c.t.conditions).thread = q->thread;
	}
	if (rc == 0 && c.t.until == STRACE_NONE)
		rc = err_set(&why, ERR_UNSUPPORTED, "a thread that has done nothing yet");
	if (rc == 0)
		solve(&c, q, out);
	else
		snprintf(out->reason, sizeof(out->reason), "%.250s", why.text);
	follow_convert_fini(&c);
	free(keep);
}
