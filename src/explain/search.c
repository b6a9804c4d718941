#include "explain/search.h"

#include <stdio.h>

#include "explain/exhaust.h"
#include "explain/search_priv.h"
#include "model/delay.h"

#define MAX_CONFLICTS 20000
/* Bytes, and events, that the runs made may take to be remembered. */
#define MAX_HELD (UINT64_C(64) << 20)
#define MAX_KEPT UINT64_C(2000000)
/* A difference that can hardly be smaller. */
#define GOOD_ENOUGH 1
/* Executions are long from here on. */
#define MANY_OPS 20000

bool explain_search_over(const struct explain_search *s)
{
	return s->runs >= s->max_runs || limit_reached(s->limit) != LIMIT_NONE ||
	       (!s->all && s->found && s->difference.same_path && s->difference.clean &&
		s->difference.reads <= GOOD_ENOUGH && s->difference.variations.count <= 2 &&
		s->difference.variations.count > 0);
}

/* ---- remembering ---- */

static void find_interest(struct explain_search *s)
{
	const struct explain_exec *f = &s->failing->exec;

	for (uint32_t i = 0; i < f->ops.count; i++) {
		const struct wire_event *v = explain_event(f, i);

		/* What the failing thread does behind the failing condition reports the failure. */
		if (f->ops.items[i].thread == s->failing->thread && v->tix > s->failing->decided)
			continue;
		if (explain_reads(v) || explain_syncs(v))
			vec_push(&s->interest, i);
	}
}

/* Where a thread stood when it all ended: it went on, stood there again, or never came to it. */
static enum explain_held stood(const struct explain_search *s, const struct explain_exec *x,
			       uint32_t standing, bool failed)
{
	if (explain_beyond(s->failing, x, standing) != EXPLAIN_NONE)
		return HELD_OTHER;
	return failed || s->failing->thread == EXPLAIN_NONE ? HELD_SAME : HELD_ABSENT;
}

static enum explain_held held_of(const struct explain_search *s, const struct explain_exec *x,
				 size_t item, bool failed)
{
	const struct explain_op *o;
	uint32_t at;

	if (item >= s->interest.count)
		return stood(s, x, (uint32_t)(item - s->interest.count), failed);
	o = &s->failing->exec.ops.items[s->interest.items[item]];
	at = explain_exec_find(x, o->key);
	if (at == EXPLAIN_NONE ||
	    explain_event(x, at)->site !=
		    explain_event(&s->failing->exec, s->interest.items[item])->site)
		return HELD_ABSENT;
	return x->ops.items[at].origin == o->origin ? HELD_SAME : HELD_OTHER;
}

static bool same_print(const void *items, uint32_t number, const void *key)
{
	return ((const struct explain_seen *)items)[number].causal.whole == *(const uint64_t *)key;
}

static struct explain_exec *copy_of(const struct explain_search *s, const struct explain_exec *x)
{
	struct explain_exec *copy = xmalloc(sizeof(*copy));
	struct run_result r = RUN_RESULT_INIT;

	r.verdict = x->run.verdict;
	r.wire = x->run.wire;
	for (size_t i = 0; i < x->run.events.count; i++)
		vec_push(&r.events, x->run.events.items[i]);
	for (size_t i = 0; i < x->run.threads.count; i++)
		vec_push(&r.threads, x->run.threads.items[i]);
	explain_exec_init(copy, &r, x == &s->failing->exec ? NULL : &s->failing->exec);
	return copy;
}

static void remember(struct explain_search *s, const struct explain_exec *x, bool failed,
		     const struct explain_difference *d)
{
	struct explain_seen seen = {.failed = failed,
				    .passed = d && d->passes,
				    .same_path = !d || d->same_path,
				    .first = s->held.count};
	size_t n = s->interest.count + s->failing->standing.count;
	uint64_t print;

	explain_causal_init(&seen.causal, x);
	print = seen.causal.whole;
	s->forgot = s->forgot || s->held.count + n > MAX_HELD || s->kept_events > MAX_KEPT;
	if (s->forgot ||
	    lookup_find(&s->by_print, print, same_print, s->seen.items, &print) != LOOKUP_NONE) {
		explain_causal_fini(&seen.causal);
		return;
	}
	s->kept_events += x->run.events.count;
	for (size_t i = 0; i < n; i++)
		vec_push(&s->held, (uint8_t)held_of(s, x, i, failed));
	seen.x = copy_of(s, x);
	seen.causal.x = seen.x;
	lookup_add(&s->by_print, print, (uint32_t)s->seen.count);
	vec_push(&s->seen, seen);
}

/* ---- one run ---- */

static void keep(struct explain_search *s, struct explain_exec *x, struct explain_difference *d)
{
	explain_exec_fini(&s->best);
	explain_difference_fini(&s->difference);
	s->best = *x;
	s->difference = *d;
	s->found = true;
	vec_clear(&s->schedule);
	for (size_t i = 0; i < s->best.run.choices.count; i++)
		vec_push(&s->schedule, s->best.run.choices.items[i]);
}

/* A run whose assumptions did not hold shows nothing. */
bool explain_search_counts(const struct run_result *r)
{
	return (r->verdict == RUN_CLEAN && r->wire.outcome != OUTCOME_ASSUME) ||
	       r->verdict == RUN_FAILURE;
}

/* Keys count how often a thread comes to a place: with the same ones, threads take the same paths.
 */
static bool same_operations(const struct explain_exec *a, const struct explain_exec *b)
{
	if (a->ops.count != b->ops.count)
		return false;
	for (uint32_t i = 0; i < a->ops.count; i++)
		if (explain_exec_find(b, a->ops.items[i].key) == EXPLAIN_NONE)
			return false;
	return true;
}

/* Takes over *r, whatever came of it. */
bool explain_search_take(struct explain_search *s, struct run_result *r)
{
	struct explain_exec x;
	struct explain_difference d;
	bool failed, better;

	s->runs++;
	if (!explain_search_counts(r)) {
		s->nothing++;
		snprintf(s->trouble, sizeof(s->trouble), "%s%s%.200s", run_verdict_name(r->verdict),
			 r->reason[0] ? ": " : "", r->reason);
		return false;
	}
	if (r->wire.event_lost > 0 || r->wire.choice_lost > 0) {
		s->nothing++;
		snprintf(s->trouble, sizeof(s->trouble), "a run too long to be kept");
		return false;
	}
	failed = r->verdict == RUN_FAILURE && run_result_key(r) == s->failing->key;
	explain_exec_init(&x, r, &s->failing->exec);
	explain_difference(s->failing, &x, &d);
	remember(s, &x, failed && !d.passes, &d);
	better = d.passes && (!s->found || (explain_difference_better(&d, &s->difference) &&
					    (!s->beside || same_operations(&x, &s->best))));
	if (better) {
		keep(s, &x, &d);
		return true;
	}
	explain_exec_fini(&x);
	explain_difference_fini(&d);
	return false;
}

int explain_search_try(struct explain_search *s, const struct model_schedule *wish, struct err *e)
{
	struct run_result r = RUN_RESULT_INIT;
	int rc = run_again(&s->again, JOB_EVENTS | JOB_WISH, wish->items, wish->count, &r, e);

	if (rc == 0)
		explain_search_take(s, &r);
	run_result_free(&r);
	return rc;
}

int explain_search_order(struct explain_search *s, const struct explain_order *order, struct err *e)
{
	struct model_schedule wish = VEC_INIT;
	int rc;

	explain_order_wish(&s->failing->exec, order, &wish);
	rc = explain_search_try(s, &wish, e);
	vec_free(&wish);
	return rc;
}

static int try_move(struct explain_search *s, const struct explain_move *m, struct err *e)
{
	struct explain_order order = VEC_INIT;
	int rc;

	explain_order_move(&s->failing->exec, m, &order);
	rc = explain_search_order(s, &order, e);
	vec_free(&order);
	return rc;
}

/* ---- families of candidates ---- */

static bool same_move(const struct explain_move *a, const struct explain_move *b)
{
	return a->first == b->first && a->last == b->last && a->thread == b->thread;
}

static int try_conflicts(struct explain_search *s, struct err *e)
{
	struct explain_conflicts all = VEC_INIT;
	int rc = 0;

	explain_conflicts_find(&s->failing->exec, MAX_CONFLICTS, &all, &s->cut);
	for (size_t i = 0; i < all.count && rc == 0 && !explain_search_over(s); i++) {
		struct explain_move m = {all.items[i].first, all.items[i].second,
					 s->failing->exec.ops.items[all.items[i].second].thread};
		struct explain_move closed = explain_move_close(&s->failing->exec, &m);

		s->pairs++;
		rc = try_move(s, &m, e);
		if (rc == 0 && !same_move(&m, &closed) && closed.first <= closed.last)
			rc = try_move(s, &closed, e);
	}
	s->cut = s->cut || (explain_search_over(s) && s->runs >= s->max_runs);
	vec_free(&all);
	return rc;
}

static bool has_ended(const struct wire_thread *t)
{
	return t->state == THREAD_FINISHED || t->state == THREAD_GONE;
}

/* Threads that could go on, go on: latest moment first. */
static int try_running_on(struct explain_search *s, struct err *e)
{
	const struct explain_exec *f = &s->failing->exec;
	int rc = 0;

	for (uint32_t i = (uint32_t)f->ops.count; i-- > 0 && rc == 0;) {
		if (i > 0 && f->ops.items[i - 1].thread == f->ops.items[i].thread)
			continue;
		for (uint32_t t = 0; t < f->run.threads.count && rc == 0; t++) {
			struct explain_move m = {i, EXPLAIN_NONE, t};

			if (t == f->ops.items[i].thread || has_ended(&f->run.threads.items[t]))
				continue;
			if (explain_search_over(s))
				return 0;
			s->pairs++;
			rc = try_move(s, &m, e);
		}
	}
	return rc;
}

/* Late stores in time, one after the other: where it was issued, a store reaches memory. */
static int try_in_time(struct explain_search *s, struct err *e)
{
	const struct explain_exec *f = &s->failing->exec;
	int rc = 0;

	for (uint32_t i = 0; i < f->ops.count && rc == 0 && !explain_search_over(s); i++) {
		uint32_t issue;

		if (!explain_is_commit(f, i))
			continue;
		issue = explain_exec_find(f, f->ops.items[i].key & ~(UINT64_C(1) << 63));
		if (issue == EXPLAIN_NONE || issue + 1 >= i)
			continue;
		s->pairs++;
		rc = explain_search_prompt(s, i, issue, e);
	}
	return rc;
}

int explain_search_prompt(struct explain_search *s, uint32_t commit, uint32_t issue, struct err *e)
{
	struct explain_order order = VEC_INIT;
	int rc;

	for (uint32_t i = 0; i < s->failing->exec.ops.count; i++) {
		if (i != commit)
			vec_push(&order, ((struct explain_step){i, 0, false}));
		if (i == issue)
			vec_push(&order, ((struct explain_step){commit, 0, false}));
	}
	rc = explain_search_order(s, &order, e);
	vec_free(&order);
	return rc;
}

/*
 * Threads one after the other, each as far as it can: of long executions only few runs can be made,
 * and what passes is brought closer later.
 */
static int try_one_by_one(struct explain_search *s, struct err *e)
{
	uint32_t n = (uint32_t)s->failing->exec.run.threads.count;
	struct model_schedule wish = VEC_INIT;
	int rc = explain_search_try(s, &wish, e);

	for (uint32_t first = n; first-- > 1 && rc == 0 && !explain_search_over(s);) {
		vec_clear(&wish);
		/* It begins when its creator has come so far. */
		vec_push(&wish, ((struct wire_choice){CHOICE_UNTIL, 0, 0, UINT32_MAX - 1}));
		vec_push(&wish,
			 ((struct wire_choice){CHOICE_UNTIL, 0, (uint16_t)first, UINT32_MAX - 1}));
		rc = explain_search_try(s, &wish, e);
	}
	vec_free(&wish);
	return rc;
}

/* What comes later has to take the paths of this one. */
static int try_beside(struct explain_search *s, struct err *e)
{
	int rc = explain_search_try(s, s->beside, e);

	if (rc == 0 && !s->found)
		return err_set(
			e, ERR_MISMATCH,
			"the execution to stand beside it does not pass when it is run again%s%s",
			s->trouble[0] ? ": " : "", s->trouble);
	return rc;
}

/* Every run is a process of its own. */
static bool is_slow(const struct explain_search *s)
{
	return run_engine_now(s->again.engine) != ENGINE_RESET;
}

bool explain_search_is_users(const struct explain_search *s, uint32_t site)
{
	return !s->sites || !trace_site_is_library(trace_sites_find(s->sites, site));
}

int explain_search(struct explain_search *s, struct err *e)
{
	int rc = 0;

	find_interest(s);
	remember(s, &s->failing->exec, true, NULL);
	if (s->beside)
		rc = try_beside(s, e);
	if (rc != 0)
		return rc;
	if (wire_model_buffers(s->again.job.model))
		rc = try_in_time(s, e);
	if (rc == 0 && s->failing->exec.ops.count > MANY_OPS)
		rc = try_one_by_one(s, e);
	if (rc == 0)
		rc = try_conflicts(s, e);
	if (rc == 0)
		rc = try_running_on(s, e);
	if (rc == 0 && !(s->found && s->difference.same_path))
		rc = explain_search_draw(s, e);
	if (rc == 0 && s->found)
		rc = explain_search_closer(s, e);
	if (rc == 0 && !(s->brief && is_slow(s)))
		rc = explain_exhaust(s, e);
	if (rc == 0 && s->found && !s->exhausted && !(s->brief && is_slow(s)))
		rc = explain_search_test(s, e);
	return rc;
}

void explain_search_fini(struct explain_search *s)
{
	explain_exec_fini(&s->best);
	explain_difference_fini(&s->difference);
	vec_free(&s->schedule);
	vec_free(&s->interest);
	for (size_t i = 0; i < s->seen.count; i++) {
		explain_causal_fini(&s->seen.items[i].causal);
		explain_exec_fini(s->seen.items[i].x);
		free(s->seen.items[i].x);
	}
	vec_free(&s->seen);
	lookup_fini(&s->by_print);
	vec_free(&s->held);
}
