/* Advice tested on schedules that keep to it. */
#include "explain/advice.h"

#include "explain/search_priv.h"

static bool conflicts(const struct wire_event *a, const struct wire_event *b)
{
	return explain_bytes(a) > 0 && explain_bytes(b) > 0 &&
	       (explain_writes(a) || explain_writes(b)) && a->addr < b->addr + explain_bytes(b) &&
	       b->addr < a->addr + explain_bytes(a);
}

static bool is_stuck(const struct wire_thread *t)
{
	return t->state == THREAD_BLOCKED || t->state == THREAD_SPINNING;
}

/* The next operation of the thread at the site, from `from' on. */
static uint32_t next_at(const struct explain_exec *x, uint32_t thread, uint32_t site, uint32_t from)
{
	for (uint32_t i = from; i < x->ops.count; i++)
		if (x->ops.items[i].thread == thread && explain_event(x, i)->site == site)
			return i;
	return EXPLAIN_NONE;
}

/* The same, or the end of the run when the thread was still on its way there. */
static uint32_t end_of(const struct explain_exec *x, uint32_t thread, uint32_t site, uint32_t from)
{
	const struct run_result *r = &x->run;
	uint32_t at = next_at(x, thread, site, from), tid = 0;

	while (tid < x->thread.count && x->thread.items[tid] != thread)
		tid++;
	if (at != EXPLAIN_NONE || tid >= r->threads.count ||
	    r->threads.items[tid].state == THREAD_FINISHED ||
	    r->threads.items[tid].state == THREAD_GONE)
		return at;
	return (uint32_t)x->ops.count;
}

/* Nobody else is at the memory of the first operation until the last one is done. */
static bool is_atomic(const struct explain_exec *x, const struct explanation_advice *a)
{
	for (uint32_t i = 0; i < x->ops.count; i++) {
		const struct wire_event *v = explain_event(x, i);
		uint32_t end;

		if (v->site != a->sites.items[0])
			continue;
		end = end_of(x, x->ops.items[i].thread, a->sites.items[1], i + 1);
		for (uint32_t k = i + 1; k < x->ops.count && end != EXPLAIN_NONE && k < end; k++)
			if (x->ops.items[k].thread != x->ops.items[i].thread &&
			    (conflicts(v, explain_event(x, k)) ||
			     (end < x->ops.count &&
			      conflicts(explain_event(x, end), explain_event(x, k)))))
				return false;
	}
	return true;
}

static uint32_t first_at(const struct explain_exec *x, uint32_t site)
{
	for (uint32_t i = 0; i < x->ops.count; i++)
		if (explain_event(x, i)->site == site)
			return i;
	return EXPLAIN_NONE;
}

static bool is_ordered(const struct explain_exec *x, const struct explanation_advice *a)
{
	uint32_t first = first_at(x, a->sites.items[0]), second = first_at(x, a->sites.items[1]);

	return second == EXPLAIN_NONE || (first != EXPLAIN_NONE && first < second);
}

/* Between a first lock and the second one taken under it, nobody else takes a first one. */
static bool is_one_at_a_time(const struct explain_exec *x, const struct explanation_advice *a)
{
	for (uint32_t i = 0; i < x->ops.count; i++) {
		uint32_t site = explain_event(x, i)->site, end = EXPLAIN_NONE;

		for (size_t p = 0; p + 1 < a->sites.count; p += 2)
			if (a->sites.items[p] == site)
				end = end_of(x, x->ops.items[i].thread, a->sites.items[p + 1],
					     i + 1);
		for (uint32_t k = i + 1; k < x->ops.count && end != EXPLAIN_NONE && k < end; k++)
			for (size_t p = 0; p + 1 < a->sites.count; p += 2)
				if (x->ops.items[k].thread != x->ops.items[i].thread &&
				    explain_event(x, k)->site == a->sites.items[p])
					return false;
	}
	return true;
}

/* A run that ends inside shows nothing against the advice: the last one may not have come. */
bool explain_keeps_to(const struct explain_exec *x, const struct explanation_advice *a)
{
	switch (a->kind) {
	case ADVICE_ATOMIC:
		return a->sites.count == 2 && is_atomic(x, a);
	case ADVICE_ORDER:
		return a->sites.count == 2 && is_ordered(x, a);
	case ADVICE_LOCK_ORDER:
		return a->sites.count >= 2 && is_one_at_a_time(x, a);
	default:
		return false;
	}
}

/* Fences are given to the guest. */
static void add_fences(const struct explanation *out, struct wire_job *job)
{
	for (size_t i = 0; i < out->advice.count; i++) {
		const struct explanation_advice *a = &out->advice.items[i];

		if (a->kind == ADVICE_FENCE && job->fence_count < WIRE_MAX_FENCES)
			job->fences[job->fence_count++] =
				(struct wire_fence){a->sites.items[0], FENCE_FULL};
	}
}

static int draw(struct explain_search *s, uint64_t seed, const struct explanation *out,
		struct run_result *r, struct err *e)
{
	struct wire_job job = s->again.job;

	job.strategy = seed % 2 ? STRATEGY_RANDOM : STRATEGY_PCT;
	job.flags = (job.flags & JOB_EXIT_IS_FAILURE) | JOB_EVENTS;
	job.bound = 3;
	job.expected_steps = s->failing->exec.run.wire.steps;
	job.runs = 1;
	job.seed = s->again.job.seed + seed;
	job.deadline = 0;
	job.schedule_count = 0;
	add_fences(out, &job);
	return run_engine_job(s->again.engine, s->again.guest, &job, NULL, r, e);
}

/* The last signal to the condition at which the thread of x sleeps, EXPLAIN_NONE: none since then.
 */
static uint32_t missed_signal(const struct explain_exec *x, uint32_t tid)
{
	const struct wire_thread *t = &x->run.threads.items[tid];

	if (!is_stuck(t) ||
	    (t->pending_kind != EVENT_COND_WAIT && t->pending_kind != EVENT_COND_WAKE))
		return EXPLAIN_NONE;
	for (uint32_t i = (uint32_t)x->ops.count; i-- > 0;) {
		const struct wire_event *v = explain_event(x, i);

		if (v->addr != t->pending_addr)
			continue;
		if (v->kind == EVENT_COND_SIGNAL)
			return i;
		if (v->kind == EVENT_COND_WAIT && v->tid == tid)
			break;
	}
	return EXPLAIN_NONE;
}

/* A run that hangs, once more: the signals wake those as well who slept on. */
static int wake_all(struct explain_search *s, struct run_result *r, bool *applies, bool *failed,
		    struct err *e)
{
	struct explain_order order = VEC_INIT;
	struct model_schedule wish = VEC_INIT;
	struct explain_exec x;
	int rc = 0;

	*applies = false;
	explain_exec_init(&x, r, NULL);
	for (uint32_t i = 0; i < x.ops.count; i++) {
		vec_push(&order, ((struct explain_step){i, 0, false}));
		for (uint32_t tid = 0; tid < x.run.threads.count; tid++) {
			if (missed_signal(&x, tid) != i)
				continue;
			vec_push(&order, ((struct explain_step){EXPLAIN_NONE, tid, true}));
			*applies = true;
		}
	}
	explain_order_wish(&x, &order, &wish);
	if (*applies)
		rc = run_again(&s->again, JOB_EVENTS | JOB_WISH, wish.items, wish.count, r, e);
	*applies = *applies && rc == 0 && explain_search_counts(r);
	*failed = r->verdict == RUN_FAILURE;
	explain_exec_fini(&x);
	vec_free(&order);
	vec_free(&wish);
	return rc;
}

static int test_wakeup(struct explain_search *s, struct run_result *r, struct explanation *out,
		       struct err *e)
{
	bool applies = false, failed = false;
	int rc = 0;

	if (r->verdict != RUN_FAILURE || run_result_key(r) != s->failing->key)
		return 0;
	for (size_t i = 0; i < out->advice.count && rc == 0; i++) {
		struct explanation_advice *a = &out->advice.items[i];

		if (a->kind != ADVICE_WAKEUP || !a->broadcast)
			continue;
		rc = wake_all(s, r, &applies, &failed, e);
		a->checked = a->checked || applies;
		a->schedules += applies;
		a->failed += applies && failed;
		return rc;
	}
	return 0;
}

static void judge(const struct explain_search *s, struct run_result *r, struct explanation *out)
{
	bool failed = r->verdict == RUN_FAILURE && run_result_key(r) == s->failing->key;
	struct explain_exec x;

	if (!explain_search_counts(r) || r->wire.event_lost > 0 || r->events.count == 0)
		return;
	explain_exec_init(&x, r, &s->failing->exec);
	for (size_t i = 0; i < out->advice.count; i++) {
		struct explanation_advice *a = &out->advice.items[i];

		if (a->kind == ADVICE_WAKEUP ||
		    (a->kind != ADVICE_FENCE && !explain_keeps_to(&x, a)))
			continue;
		a->checked = true;
		a->schedules++;
		a->failed += failed;
	}
	explain_exec_fini(&x);
}

int explain_advice_test(struct explain_search *s, uint64_t runs, struct explanation *out,
			struct err *e)
{
	int rc = 0;

	for (uint64_t i = 0;
	     i < runs && rc == 0 && out->advice.count > 0 && limit_reached(s->limit) == LIMIT_NONE;
	     i++) {
		struct run_result r = RUN_RESULT_INIT;

		rc = draw(s, i, out, &r, e);
		if (rc == 0 && s->failing->thread == EXPLAIN_NONE)
			rc = test_wakeup(s, &r, out, e);
		if (rc == 0)
			judge(s, &r, out);
		run_result_free(&r);
	}
	return rc;
}
