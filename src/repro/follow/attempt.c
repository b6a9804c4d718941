#include "repro/follow/attempt.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "symex/follow/convert.h"
#include "solve/strace/schedule.h"
#include "repro/stamps.h"
#include "trace/elf/elf_sites.h"

#define LOW_ADDRESS 65536u /* an access there would have failed */

/* ---- times and ends ---- */

/* When the events of a thread happened; to be freed. */
static struct repro_span *times_of(const struct follow_source *source,
				   const struct symex_thread *th)
{
	uint32_t n = (uint32_t)th->events.count;
	struct repro_span *spans = xcalloc(n + 1, sizeof(*spans));
	uint8_t *kinds = xcalloc(n + 1, sizeof(*kinds));

	for (uint32_t i = 0; i < n; i++) {
		const struct symex_event *e = &th->events.items[i];

		kinds[i] = e->kind == EVENT_TRYLOCK && e->value ? 0 : e->kind;
	}
	repro_stamps_spread(source->r, follow_source_task(source, th->thread), kinds, n, spans);
	free(kinds);
	return spans;
}

static uint64_t time_at(const struct repro_span *s)
{
	return s->from + (uint64_t)((double)(s->to - s->from) * s->part);
}

/* Times of the recording, for the order that is tried first. */
static void add_times(struct follow_convert *x, const struct follow_source *source)
{
	for (uint32_t t = 0; t < x->from->threads.count; t++) {
		const struct symex_thread *th = &x->from->threads.items[t];
		struct repro_span *spans = times_of(source, th);
		uint32_t n = (uint32_t)th->events.count, at = 0;

		for (size_t i = 0; i < x->t.events.count; i++) {
			struct strace_event *e = &x->t.events.items[i];

			if (e->thread != t)
				continue;
			while (at + 1 < n && th->events.items[at].tix < e->tag)
				at++;
			e->time = time_at(&spans[at]);
		}
		free(spans);
	}
}

/* A thread that was cut did no more operations than were recorded; the executor does not know. */
static uint32_t end_of(const struct follow_source *source, const struct symex_thread *th)
{
	uint32_t task = follow_source_task(source, th->thread), left, i;

	if (task >= source->r->tasks.count ||
	    (task == source->r->failure.thread && source->r->failure.kind != RECORD_FAIL_DEADLOCK))
		return (uint32_t)th->events.count;
	left = repro_stamps_operations(source->r, task);
	for (i = 0; i < th->events.count; i++) {
		const struct symex_event *e = &th->events.items[i];

		if (trace_stamp_of(e->kind, e->kind == EVENT_TRYLOCK && e->value) && left-- == 0)
			break;
	}
	return i;
}

/* Where the outermost section begins that the thread is in after `n' events; n when in none. */
static uint32_t section_of(const struct symex_thread *th, uint32_t n)
{
	uint32_t begin = n, depth = 0;

	for (uint32_t i = 0; i < n; i++) {
		unsigned stamp = trace_stamp_of(th->events.items[i].kind, false);

		if (stamp == RECORD_AT_LOCK && depth++ == 0)
			begin = i;
		else if (stamp == RECORD_AT_UNLOCK && depth && --depth == 0)
			begin = n;
	}
	return depth ? begin : n;
}

/* ---- answers ---- */

static void make_schedule(const struct follow_convert *x, const struct strace_solution *s,
			  struct repro_follow_result *out)
{
	struct strace_sim sim;

	strace_sim_init(&sim, &x->t, wire_model_buffers(out->model));
	strace_sim_run(&sim, s->order.items);
	strace_schedule_make(&sim, s->order.items, out->model, x->failed, &out->schedule);
	strace_sim_fini(&sim);
}

static void say_no(const struct strace_solution *s, struct repro_follow_result *out)
{
	struct strbuf text = STRBUF_INIT;

	if (s->answer == SOLVE_UNSAT)
		strace_solution_why(s, &text);
	else
		strbuf_addf(&text, "no answer after %" PRIu64 " rounds", s->rounds);
	snprintf(out->reason, sizeof(out->reason), "%s", text.text);
	strbuf_free(&text);
}

/* The thread of the executor that failed when it was recorded. */
static uint32_t failing(const struct follow_source *source)
{
	for (uint32_t t = 0; t < source->tasks.count; t++)
		if (source->tasks.items[t] == source->r->failure.thread &&
		    source->r->failure.thread != RECORD_NO_THREAD)
			return t;
	return STRACE_NONE;
}

/* Why the trace is of no use, with the place of the first thread that could not be followed. */
static void say_where(const struct follow_source *source, const struct symex_trace *trace,
		      const char *why, struct repro_follow_result *out)
{
	const struct trace_site *s = NULL;

	for (size_t t = 0; t < trace->threads.count && !s; t++) {
		enum symex_end end = trace->threads.items[t].end;

		if (end == SYMEX_END_UNKNOWN || end == SYMEX_END_DIVERGED || end == SYMEX_END_LIMIT)
			s = trace_sites_find(&source->sites, trace->threads.items[t].site);
	}
	if (s)
		snprintf(out->reason, sizeof(out->reason), "%.300s (%.150s:%" PRIu32 ")", why,
			 s->file, s->line);
	else
		snprintf(out->reason, sizeof(out->reason), "%.500s", why);
}

/* ---- decisions ---- */

/* What is still open was not tried, and is no address that fails; loosely: it may be a length. */
static void add_limits(struct follow_convert *x, const struct follow_decide *d, uint32_t thread,
		       bool loosely)
{
	struct expr_pool *pool = x->from->pool;

	for (size_t i = 0; i < d->stack.count; i++) {
		const struct follow_decision *c = &d->stack.items[i];
		unsigned width;
		expr_id e;

		if (!c->is_open || !c->expr || c->thread != thread)
			continue;
		width = expr_width(pool, c->expr);
		e = expr_binary(pool, EXPR_ULE, expr_const(pool, width, LOW_ADDRESS), c->expr);
		if (!loosely)
			strace_add_condition(&x->t, follow_convert_piece(x, e), STRACE_PATH);
		for (size_t k = 0; k < c->tried.count; k++) {
			e = expr_binary(pool, EXPR_NE, c->expr,
					expr_const(pool, width, c->tried.items[k]));
			strace_add_condition(&x->t, follow_convert_piece(x, e), STRACE_PATH);
		}
	}
}

/* Open addresses of a thread as they are in this order. */
static void decide(struct follow_convert *x, struct follow_decide *d, uint32_t thread,
		   const struct strace_solution *s, bool buffered)
{
	struct strace_sim sim;

	strace_sim_init(&sim, &x->t, buffered);
	strace_sim_run(&sim, s->order.items);
	for (size_t i = 0; i < d->stack.count; i++) {
		struct follow_decision *c = &d->stack.items[i];

		if (!c->is_open || !c->expr || c->thread != thread)
			continue;
		c->value = x->t.values.eval(x->t.values.arg, follow_convert_piece(x, c->expr),
					    sim.value);
		c->is_open = false;
	}
	strace_sim_fini(&sim);
}

/* Takes a decision back; when there is none left, that was the answer. */
static enum repro_attempt_end again(struct repro_attempt *a, uint32_t thread,
				    struct repro_follow_result *out)
{
	if (follow_decide_again(&a->source->decide, thread))
		return REPRO_ATTEMPT_AGAIN;
	if (out->answer == SOLVE_UNSAT && a->unsure) {
		char why[sizeof(out->reason)];

		out->answer = SOLVE_UNKNOWN;
		memcpy(why, out->reason, sizeof(why));
		snprintf(
			out->reason, sizeof(out->reason),
			"no order of what was tried of the paths fails as recorded, and not all of "
			"it could be tried (the last time: %.300s)",
			why);
	}
	if (out->answer == SOLVE_UNKNOWN && a->trouble[0])
		memcpy(out->reason, a->trouble, sizeof(out->reason));
	return REPRO_ATTEMPT_OVER;
}

/* ---- one trace ---- */

/* Threads that wait for an address, as many as there are; the one that came there first leads. */
struct open {
	uint32_t thread;
	uint64_t time;
};

struct opens {
	VEC_FIELDS(struct open);
};

static int by_time(const void *a, const void *b)
{
	const struct open *x = a, *y = b;

	if (x->time != y->time)
		return x->time < y->time ? -1 : 1;
	return x->thread < y->thread ? -1 : x->thread > y->thread;
}

static void find_opens(const struct follow_source *source, const struct symex_trace *trace,
		       struct opens *out)
{
	for (size_t i = 0; i < source->decide.stack.count; i++) {
		const struct follow_decision *c = &source->decide.stack.items[i];
		const struct symex_thread *th = &trace->threads.items[c->thread];
		struct repro_span *spans;

		if (!c->is_open || !c->expr)
			continue;
		spans = times_of(source, th);
		vec_push(out,
			 ((struct open){c->thread, th->events.count
							   ? time_at(&spans[th->events.count - 1])
							   : 0}));
		free(spans);
	}
	if (out->count)
		qsort(out->items, out->count, sizeof(out->items[0]), by_time);
}

/* Events of a thread up to a time. */
static uint32_t until(const struct follow_source *source, const struct symex_thread *th, uint32_t n,
		      uint64_t time)
{
	struct repro_span *spans = times_of(source, th);

	while (n && spans[n - 1].from > time)
		n--;
	free(spans);
	return n;
}

/* A thread that is created behind the end of its parent does not exist yet. */
static void drop_unborn(const struct symex_trace *trace, uint32_t *keep)
{
	for (uint32_t t = 1; t < trace->threads.count; t++) {
		uint32_t parent = trace->threads.items[t].parent;
		const struct symex_thread *th = &trace->threads.items[parent < t ? parent : 0];

		if (keep[th->thread] < th->events.count &&
		    th->events.items[keep[th->thread]].tix <= trace->threads.items[t].create_tix)
			keep[t] = 0;
	}
}

/*
 * How much of each thread counts.  Others that wait inside a section of theirs have not begun it
 * yet: two would hold one lock.  loosely: what others did after the leader came there does not
 * count.
 */
static uint32_t *find_ends(const struct follow_source *source, const struct symex_trace *trace,
			   const struct opens *opens, const struct open *leader, bool loosely)
{
	uint32_t *keep = xcalloc(trace->threads.count + 1, sizeof(*keep));

	for (uint32_t t = 0; t < trace->threads.count; t++) {
		const struct symex_thread *th = &trace->threads.items[t];

		keep[t] = end_of(source, th);
		if (leader && loosely && t != leader->thread)
			keep[t] = until(source, th, keep[t], leader->time);
	}
	for (size_t i = 0; i < opens->count && !loosely; i++) {
		uint32_t t = opens->items[i].thread;

		if (t != leader->thread)
			keep[t] = section_of(&trace->threads.items[t], keep[t]);
	}
	drop_unborn(trace, keep);
	return keep;
}

static void solve(struct repro_attempt *a, struct follow_convert *x, uint32_t leader,
		  struct repro_follow_result *out)
{
	struct strace_solve_opts so = {
		.by_core = a->o->by_core, .limit = a->o->limit, .model = out->model};
	struct strace_solution s;

	if (leader == STRACE_NONE)
		out->counts = strace_count(&x->t, &so);
	strace_solve(&x->t, &so, &s);
	out->answer = s.answer;
	out->rounds += s.rounds;
	if (s.answer != SOLVE_SAT)
		say_no(&s, out);
	else if (leader == STRACE_NONE)
		make_schedule(x, &s, out);
	else
		decide(x, &a->source->decide, leader, &s, wire_model_buffers(out->model));
	strace_solution_fini(&s);
}

/* What a thread stands at that waits for ever there; STRACE_OPS: no matter. */
static enum strace_op waits_at(unsigned kind)
{
	switch (kind) {
	case EVENT_LOCK:
		return STRACE_LOCK;
	case EVENT_RDLOCK:
		return STRACE_RDLOCK;
	case EVENT_WRLOCK:
		return STRACE_WRLOCK;
	case EVENT_COND_WAKE:
		return STRACE_WAKE;
	case EVENT_BARRIER_LEAVE:
		return STRACE_LEAVE;
	case EVENT_SEM_WAIT:
		return STRACE_TAKE;
	default:
		return STRACE_OPS;
	}
}

/* A deadlock: threads wait at the first operation they did not do when they were recorded. */
static void add_stuck(const struct follow_source *source, const struct symex_trace *trace,
		      const uint32_t *keep, struct follow_convert *x)
{
	for (uint32_t t = 0; t < trace->threads.count; t++) {
		const struct symex_thread *th = &trace->threads.items[t];
		uint32_t task = follow_source_task(source, t);
		enum strace_op op;

		if (task >= source->r->tasks.count || !source->r->tasks.items[task].row.waits_on ||
		    keep[t] >= th->events.count)
			continue;
		op = waits_at(th->events.items[keep[t]].kind);
		if (op != STRACE_OPS)
			vec_push(&x->t.stuck,
				 ((struct strace_stuck){t, (uint8_t)op,
							th->events.items[keep[t]].addr}));
	}
}

/* Threads that wait for one of those to end. */
static void add_joins(const struct follow_source *source, const struct symex_trace *trace,
		      struct follow_convert *x)
{
	size_t stuck = x->t.stuck.count;

	for (uint32_t t = 0; t < trace->threads.count && stuck; t++) {
		uint32_t task = follow_source_task(source, t);
		const struct record_thread *row =
			task < source->r->tasks.count ? &source->r->tasks.items[task].row : NULL;

		if (row && row->waits_on && row->waits_at == RECORD_AT_JOIN)
			vec_push(&x->t.stuck, ((struct strace_stuck){t, STRACE_JOIN,
								     x->t.stuck.items[0].thread}));
	}
}

/* The thread that failed must do so here, once all is decided. */
static int check_failure(const struct follow_convert *x, uint32_t leader, struct err *e)
{
	if (x->failed == STRACE_NONE && !x->t.stuck.count && leader == STRACE_NONE)
		return err_set(e, ERR_UNSUPPORTED, "no thread fails as recorded on its path");
	return 0;
}

/* leader: whose address is computed; NULL: all is decided.  An error: the trace is of no use. */
static int try_leader(struct repro_attempt *a, const struct symex_trace *trace,
		      const struct opens *opens, const struct open *leader, bool loosely,
		      struct repro_follow_result *out, struct err *e)
{
	uint32_t *keep = find_ends(a->source, trace, opens, leader, loosely);
	uint32_t thread = leader ? leader->thread : STRACE_NONE;
	struct follow_convert_opts o = {.may_fail = failing(a->source),
					.keep = keep,
					.partly = leader != NULL,
					.only = loosely ? thread : STRACE_NONE};
	struct follow_convert x;
	int rc = follow_convert(&x, trace, &o, e);

	if (rc == 0 && !leader && a->source->r->failure.kind == RECORD_FAIL_DEADLOCK) {
		add_stuck(a->source, trace, keep, &x);
		add_joins(a->source, trace, &x);
	}
	if (rc == 0)
		rc = check_failure(&x, thread, e);
	if (rc == 0) {
		add_times(&x, a->source);
		add_limits(&x, &a->source->decide, thread, loosely);
		out->events = x.t.events.count;
		solve(a, &x, thread, out);
	}
	follow_convert_fini(&x);
	free(keep);
	return rc;
}

/* The first thread whose address can be computed; first with all that is known of the others. */
static int try_leaders(struct repro_attempt *a, const struct symex_trace *trace,
		       const struct opens *opens, struct repro_follow_result *out, struct err *e)
{
	int rc = 0;

	out->answer = SOLVE_UNSAT;
	for (int loosely = 0; loosely < 2; loosely++)
		for (size_t i = 0; i < opens->count && rc == 0 && out->answer == SOLVE_UNSAT; i++)
			rc = try_leader(a, trace, opens, &opens->items[i], loosely, out, e);
	/* What others will do after their own addresses was not looked at. */
	a->unsure |= out->answer == SOLVE_UNSAT;
	return rc;
}

/* With the decisions there are it does what it did not when it was recorded. */
static bool leaves_path(const struct follow_source *source, const struct symex_thread *th)
{
	return th->end == SYMEX_END_DIVERGED ||
	       (th->end == SYMEX_END_FAILED && th->thread != failing(source));
}

/* What the executor made of it is of no use; perhaps with other decisions. */
static enum repro_attempt_end give_up(struct repro_attempt *a, const struct symex_trace *trace,
				      const char *why, struct repro_follow_result *out)
{
	uint32_t thread = SYMEX_NONE;

	out->answer = SOLVE_UNKNOWN;
	say_where(a->source, trace, why, out);
	for (size_t t = 0; t < trace->threads.count && thread == SYMEX_NONE; t++)
		if (leaves_path(a->source, &trace->threads.items[t]))
			thread = (uint32_t)t;
	if (thread == SYMEX_NONE)
		a->unsure = true;
	if (!a->trouble[0])
		memcpy(a->trouble, out->reason, sizeof(a->trouble));
	return again(a, thread, out);
}

enum repro_attempt_end repro_attempt(struct repro_attempt *a, const struct symex_trace *trace,
				     struct repro_follow_result *out)
{
	struct opens opens = {NULL, 0, 0};
	struct err why = ERR_INIT;
	uint64_t begin = limit_now();
	int rc;

	out->answer = SOLVE_UNKNOWN;
	if (a->source->broken) {
		say_where(a->source, trace, "the recorded paths are not of this program", out);
		return REPRO_ATTEMPT_OVER;
	}
	find_opens(a->source, trace, &opens);
	rc = opens.count ? try_leaders(a, trace, &opens, out, &why)
			 : try_leader(a, trace, &opens, NULL, false, out, &why);
	out->solve_ns += limit_now() - begin;
	vec_free(&opens);
	if (rc != 0)
		return give_up(a, trace, why.text, out);
	if (out->answer == SOLVE_UNSAT)
		return again(a, SYMEX_NONE, out);
	return out->answer == SOLVE_SAT && a->source->decide.stack.count && !out->schedule.count
		       ? REPRO_ATTEMPT_AGAIN
		       : REPRO_ATTEMPT_OVER;
}
