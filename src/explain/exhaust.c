#include "explain/exhaust.h"

#include <stdio.h>

#include "explain/causal.h"
#include "explain/search_priv.h"

/* Enough for what a person would call small; more would take longer than is worth waiting for. */
#define MAX_RUNS 20000
#define MAX_OPS UINT64_C(1200000)
/* When only the story is wanted. */
#define MAX_BRIEF_RUNS 400
#define MAX_BRIEF_OPS UINT64_C(40000)
/* Where every run is a process of its own. */
#define MAX_SLOW_RUNS 1000
/* Executions this long have too many pairs. */
#define LONG_OPS 600

struct closure {
	struct explain_search *s;
	struct lookup tried; /* beginnings that were asked for, by hash */
	VEC(uint64_t) keys;
	uint64_t runs, ops;
	/* Of the execution at hand: */
	const struct explain_causal *causal;
	bool *after;
	struct explain_order order;
};

static bool is_over(const struct closure *c)
{
	uint64_t most = run_engine_now(c->s->again.engine) != ENGINE_RESET ? MAX_SLOW_RUNS
			: c->s->brief					   ? MAX_BRIEF_RUNS
									   : MAX_RUNS;

	return c->runs >= most || c->ops >= (c->s->brief ? MAX_BRIEF_OPS : MAX_OPS) ||
	       limit_reached(c->s->limit) != LIMIT_NONE || c->s->forgot;
}

static bool same_number(const void *items, uint32_t number, const void *key)
{
	return ((const uint64_t *)items)[number] == *(const uint64_t *)key;
}

static bool is_new(struct closure *c, uint64_t key)
{
	if (lookup_find(&c->tried, key, same_number, c->keys.items, &key) != LOOKUP_NONE)
		return false;
	lookup_add(&c->tried, key, (uint32_t)c->keys.count);
	vec_push(&c->keys, key);
	return true;
}

static int ask(struct closure *c, struct err *e)
{
	struct model_schedule wish = VEC_INIT;
	int rc;

	explain_order_wish(c->causal->x, &c->order, &wish);
	c->runs++;
	c->ops += c->causal->x->ops.count;
	rc = explain_search_try(c->s, &wish, e);
	vec_free(&wish);
	return rc;
}

/*
 * Everything that does not come after `from' (in c->after), then the step, then the rest.  what:
 * tells apart steps behind the same beginning.
 */
static int try_step(struct closure *c, struct explain_step step, uint64_t what, struct err *e)
{
	const struct explain_exec *x = c->causal->x;
	uint64_t key = lookup_mix(4, what);

	for (uint32_t i = 0; i < x->ops.count; i++)
		if (!c->after[i])
			key += c->causal->print[i];
	if (!is_new(c, key))
		return 0;
	vec_clear(&c->order);
	for (uint32_t i = 0; i < x->ops.count; i++)
		if (!c->after[i])
			vec_push(&c->order, ((struct explain_step){i, 0, false}));
	vec_push(&c->order, step);
	for (uint32_t i = 0; i < x->ops.count; i++)
		if (c->after[i] && i != step.op)
			vec_push(&c->order, ((struct explain_step){i, 0, false}));
	return ask(c, e);
}

/* Whether all that the thread did before operation `end' stays. */
static bool is_kept(const struct closure *c, uint32_t thread, uint32_t end)
{
	for (uint32_t i = 0; i < end; i++)
		if (c->after[i] && c->causal->x->ops.items[i].thread == thread)
			return false;
	return true;
}

static int reverse(struct closure *c, uint32_t first, uint32_t second, struct err *e)
{
	const struct explain_op *o = &c->causal->x->ops.items[second];

	explain_causal_after(c->causal, first, c->after);
	if (!is_kept(c, o->thread, second))
		return 0;
	return try_step(c, (struct explain_step){second, 0, false}, o->key, e);
}

/* A thread goes on without what comes after `first'. */
static int go_on(struct closure *c, uint32_t first, uint32_t thread, struct err *e)
{
	explain_causal_after(c->causal, first, c->after);
	if (!is_kept(c, thread, (uint32_t)c->causal->x->ops.count))
		return 0;
	return try_step(c, (struct explain_step){EXPLAIN_NONE, thread, false},
			(uint64_t)thread << 32 | UINT32_MAX, e);
}

/* ---- pairs ---- */

static bool takes(const struct wire_event *v)
{
	return explain_takes(v) || v->kind == EVENT_COND_WAKE;
}

static uint64_t lock_of(const struct wire_event *v)
{
	return v->kind == EVENT_COND_WAKE || v->kind == EVENT_COND_WAIT ? v->value : v->addr;
}

/* Who gives a lock up must not have taken it. */
static uint32_t begin_of_section(const struct explain_exec *x, uint32_t gives)
{
	uint64_t lock = lock_of(explain_event(x, gives));

	for (uint32_t i = gives; i-- > 0;)
		if (x->ops.items[i].thread == x->ops.items[gives].thread &&
		    takes(explain_event(x, i)) && lock_of(explain_event(x, i)) == lock)
			return i;
	return gives;
}

static int reverse_pairs(struct closure *c, struct err *e)
{
	const struct explain_exec *x = c->causal->x;
	int rc = 0;

	for (size_t i = 0; i < c->causal->pairs.count && rc == 0 && !is_over(c); i++) {
		uint32_t first = c->causal->pairs.items[i].first;
		uint32_t second = c->causal->pairs.items[i].second;
		const struct wire_event *v = explain_event(x, first);

		if (takes(explain_event(x, second)) &&
		    (explain_gives(v) || v->kind == EVENT_COND_WAIT)) {
			uint32_t begin = begin_of_section(x, first);

			rc = reverse(c, begin, second, e);
		}
		if (rc == 0)
			rc = reverse(c, first, second, e);
	}
	return rc;
}

static bool is_plain_mutex(const struct wire_event *v)
{
	return v->kind == EVENT_LOCK || v->kind == EVENT_UNLOCK || v->kind == EVENT_TRYLOCK ||
	       v->kind == EVENT_SPIN_LOCK || v->kind == EVENT_SPIN_UNLOCK ||
	       v->kind == EVENT_SPIN_TRYLOCK;
}

/* Objects that several hold, or that remember: not only neighbours matter. */
static int reverse_far_pairs(struct closure *c, struct err *e)
{
	const struct explain_exec *x = c->causal->x;
	int rc = 0;

	for (uint32_t k = 0; k < x->ops.count && rc == 0; k++) {
		const struct wire_event *b = explain_event(x, k);

		if (!explain_syncs(b) || is_plain_mutex(b))
			continue;
		for (uint32_t i = k; i-- > 0 && rc == 0 && !is_over(c);) {
			const struct wire_event *a = explain_event(x, i);

			if (explain_syncs(a) && explain_object(a) == explain_object(b) &&
			    x->ops.items[i].thread != x->ops.items[k].thread)
				rc = reverse(c, i, k, e);
		}
	}
	return rc;
}

/* ---- ends ---- */

static bool has_ended(const struct wire_thread *t)
{
	return t->state == THREAD_FINISHED || t->state == THREAD_GONE;
}

/* What threads stood at may have been possible earlier. */
static int release_pending(struct closure *c, struct err *e)
{
	const struct explain_exec *x = c->causal->x;
	int rc = 0;

	for (uint32_t tid = 0; tid < x->run.threads.count && rc == 0; tid++) {
		const struct wire_thread *t = &x->run.threads.items[tid];

		if (has_ended(t) || t->pending_addr == 0 || t->pending_kind == EVENT_THREAD_JOIN)
			continue;
		for (uint32_t i = (uint32_t)x->ops.count; i-- > 0 && rc == 0 && !is_over(c);) {
			const struct wire_event *v = explain_event(x, i);

			if (explain_syncs(v) && v->tid != tid && v->addr == t->pending_addr)
				rc = go_on(c, i, x->thread.items[tid], e);
		}
	}
	return rc;
}

/* The last operation of the thread that ended the process, EXPLAIN_NONE: all ended by themselves.
 */
static uint32_t find_end(const struct explain_exec *x)
{
	const struct wire_failure *f = &x->run.wire.failure;

	for (uint32_t i = (uint32_t)x->ops.count; i-- > 0;) {
		const struct wire_event *v = explain_event(x, i);

		if (x->run.verdict == RUN_FAILURE ? v->tid == f->tid : v->kind == EVENT_EXIT)
			return i;
	}
	return EXPLAIN_NONE;
}

/* Threads that were cut off by the end of the process go on before it. */
static int delay_end(struct closure *c, struct err *e)
{
	const struct explain_exec *x = c->causal->x;
	uint32_t end = find_end(x);
	int rc = 0;

	for (uint32_t tid = 0; tid < x->run.threads.count && rc == 0 && end != EXPLAIN_NONE; tid++)
		if (!has_ended(&x->run.threads.items[tid]) &&
		    x->thread.items[tid] != x->ops.items[end].thread && !is_over(c))
			rc = go_on(c, end, x->thread.items[tid], e);
	return rc;
}

/* ---- signals ---- */

static bool is_asleep(const struct explain_exec *x, uint32_t wait, uint32_t at)
{
	for (uint32_t i = wait + 1; i < at; i++)
		if (x->ops.items[i].thread == x->ops.items[wait].thread)
			return false;
	/* A thread that was called and has not got its mutex back sleeps no more, and is tried in
	 * vain. */
	return true;
}

/* Every sleeper may be the one that wakes up. */
static int wake_another(struct closure *c, uint32_t signal, struct err *e)
{
	const struct explain_exec *x = c->causal->x;
	const struct wire_event *v = explain_event(x, signal);
	int rc = 0;

	explain_causal_after(c->causal, signal, c->after);
	for (uint32_t i = 0; i < signal && rc == 0 && !is_over(c); i++) {
		const struct wire_event *w = explain_event(x, i);

		if (w->kind == EVENT_COND_WAIT && w->addr == v->addr && is_asleep(x, i, signal))
			rc = try_step(c,
				      (struct explain_step){signal, x->ops.items[i].thread, true},
				      lookup_mix(x->ops.items[signal].key, x->ops.items[i].key), e);
	}
	return rc;
}

static int wake_others(struct closure *c, struct err *e)
{
	const struct explain_exec *x = c->causal->x;
	int rc = 0;

	for (uint32_t i = 0; i < x->ops.count && rc == 0; i++)
		if (explain_event(x, i)->kind == EVENT_COND_SIGNAL)
			rc = wake_another(c, i, e);
	return rc;
}

/* ---- what is covered ---- */

static bool is_covered(const struct wire_event *v)
{
	switch (v->kind) {
	case EVENT_COND_TIMEOUT:
	case EVENT_LOCK_TIMEOUT:
	case EVENT_SEM_TIMEOUT:
	case EVENT_THREAD_CANCEL:
	case EVENT_KILL:
	case EVENT_HANDLER:
	case EVENT_FUTEX_WAIT:
	case EVENT_FUTEX_WAKE:
	case EVENT_FD:
	case EVENT_SLEEP:
	case EVENT_CLOCK:
	case EVENT_RANDOM:
	case EVENT_SPIN_PARK:
	case EVENT_ISSUE:
		return false;
	case EVENT_IO:
		return v->aux == IO_WRITE;
	default:
		return !explain_reads(v) || !(v->aux & EVENT_BLIND) || v->kind == EVENT_RMW ||
		       v->kind == EVENT_CAS_FAIL;
	}
}

static void say_not_all(struct explain_search *s, const char *why)
{
	s->exhausted = false;
	if (!s->not_all[0])
		snprintf(s->not_all, sizeof(s->not_all), "%s", why);
}

static void look_for_uncovered(struct explain_search *s, uint64_t nothing)
{
	for (size_t i = 0; i < s->seen.count && s->exhausted; i++) {
		const struct run_result *r = &s->seen.items[i].x->run;

		for (size_t k = 0; k < r->events.count && s->exhausted; k++)
			if (!is_covered(&r->events.items[k]))
				say_not_all(s, "the program waits for time, input, signals or "
					       "other values in a loop, which schedules alone do "
					       "not decide");
	}
	if (run_engine_unseen(s->again.engine))
		say_not_all(s, "the program runs code that cannot be seen");
	/* Candidates of before that asked for what cannot be do not count. */
	if (s->nothing > nothing)
		say_not_all(s, "runs were cut off by a limit");
}

static int branch_off(struct closure *c, size_t seen, struct err *e)
{
	struct explain_causal causal = c->s->seen.items[seen].causal;
	int rc;

	/* A copy: what holds it moves when more is seen. */
	c->causal = &causal;
	c->after = xcalloc(causal.x->ops.count + 1, sizeof(*c->after));
	rc = reverse_pairs(c, e);
	if (rc == 0)
		rc = reverse_far_pairs(c, e);
	if (rc == 0)
		rc = wake_others(c, e);
	if (rc == 0)
		rc = release_pending(c, e);
	if (rc == 0)
		rc = delay_end(c, e);
	free(c->after);
	return rc;
}

int explain_exhaust(struct explain_search *s, struct err *e)
{
	struct closure c = {.s = s};
	uint64_t nothing = s->nothing;
	int rc = 0;

	if (wire_model_buffers(s->again.job.model) || s->failing->exec.ops.count > LONG_OPS) {
		say_not_all(s, s->failing->exec.ops.count > LONG_OPS
				       ? "the execution is too long to try all its schedules"
				       : "stores that are late are not tried in all ways");
		return 0;
	}
	/* s->seen grows meanwhile. */
	for (size_t i = 0; i < s->seen.count && rc == 0 && !is_over(&c); i++)
		rc = branch_off(&c, i, e);
	s->exhausted = rc == 0 && !is_over(&c);
	if (!s->exhausted)
		say_not_all(s, "there are too many schedules to try them all");
	look_for_uncovered(s, nothing);
	lookup_fini(&c.tried);
	vec_free(&c.keys);
	vec_free(&c.order);
	return rc;
}
