/* Advice tested on schedules that are made to keep to it. */
#include "explain/advice_priv.h"
#include "explain/search_priv.h"

/* Operations of all runs that one advice is tested with. */
#define MAX_OPS UINT64_C(600000)
/* Moves of operations until a schedule keeps to the advice. */
#define MAX_REPAIRS 8

static bool is_stuck(const struct wire_thread *t)
{
	return t->state == THREAD_BLOCKED || t->state == THREAD_SPINNING;
}

/* Fences are given to the guest. */
static void add_fences(const struct explanation_advice *a, size_t n, struct wire_job *job)
{
	for (size_t i = 0; i < n; i++)
		if (a[i].kind == ADVICE_FENCE && job->fence_count < WIRE_MAX_FENCES)
			job->fences[job->fence_count++] =
				(struct wire_fence){a[i].sites.items[0], a[i].fence};
}

static int draw(struct explain_search *s, uint64_t seed, const struct explanation_advice *a,
		size_t n, struct run_result *r, struct err *e)
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
	add_fences(a, n, &job);
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

/* Of the same kind, where it does not depend on luck who it is. */
static bool fails_so(const struct explain_search *s, const struct run_result *r)
{
	return r->verdict == RUN_FAILURE && run_result_key(r) == s->failing->key;
}

static bool is_of_use(const struct run_result *r)
{
	return explain_search_counts(r) && r->wire.event_lost == 0 && r->events.count > 0;
}

static void count(struct explanation_advice *a, bool failed)
{
	a->checked = true;
	a->schedules++;
	a->failed += failed;
}

/* The run once more, with the operations that come into a region behind it. */
static int repair(struct explain_search *s, const struct explain_exec *x,
		  const struct explanation_advice *a, struct run_result *r, bool *moved,
		  struct err *e)
{
	struct explain_order order = VEC_INIT;
	struct model_schedule wish = VEC_INIT;
	struct explain_breach b;
	int rc = 0;

	*moved = (a->kind == ADVICE_ATOMIC || a->kind == ADVICE_WAKEUP) &&
		 explain_next_breach(x, a, &b);
	if (*moved) {
		struct explain_move m = {b.begin + 1, b.end < x->ops.count ? b.end : EXPLAIN_NONE,
					 x->ops.items[b.begin].thread};

		explain_order_move(x, &m, &order);
		explain_order_wish(x, &order, &wish);
		rc = run_again(&s->again, JOB_EVENTS | JOB_WISH, wish.items, wish.count, r, e);
	}
	vec_free(&order);
	vec_free(&wish);
	return rc;
}

/* Takes what *r has. */
static int enforce(struct explain_search *s, struct run_result *r, struct explanation_advice *a,
		   struct err *e)
{
	bool moved = true;
	int rc = 0;

	for (int i = 0; i <= MAX_REPAIRS && moved && rc == 0; i++) {
		bool failed = fails_so(s, r);
		struct explain_exec x;
		struct explain_causal c;

		if (!is_of_use(r))
			return 0;
		explain_exec_init(&x, r, &s->failing->exec);
		explain_causal_init(&c, &x);
		if (explain_keeps_to(&c, a)) {
			count(a, failed);
			moved = false;
		} else {
			rc = repair(s, &x, a, r, &moved, e);
		}
		explain_causal_fini(&c);
		explain_exec_fini(&x);
	}
	return rc;
}

int explain_advice_test(struct explain_search *s, uint64_t runs, struct explanation_advice *a,
			struct err *e)
{
	int rc = 0;

	if (runs > MAX_OPS / (s->failing->exec.ops.count + 1))
		runs = MAX_OPS / (s->failing->exec.ops.count + 1);
	for (uint64_t i = 0;
	     i < runs && rc == 0 && a->failed == 0 && limit_reached(s->limit) == LIMIT_NONE; i++) {
		struct run_result r = RUN_RESULT_INIT;

		rc = draw(s, i, NULL, 0, &r, e);
		if (rc == 0)
			rc = enforce(s, &r, a, e);
		run_result_free(&r);
	}
	return rc;
}

int explain_advice_fence_test(struct explain_search *s, uint64_t runs, struct explanation_advice *a,
			      size_t n, struct err *e)
{
	int rc = 0;

	for (uint64_t i = 0; i < runs && rc == 0 && limit_reached(s->limit) == LIMIT_NONE; i++) {
		struct run_result r = RUN_RESULT_INIT;

		rc = draw(s, i, a, n, &r, e);
		for (size_t k = 0; k < n && rc == 0 && is_of_use(&r); k++)
			count(&a[k], fails_so(s, &r));
		run_result_free(&r);
	}
	return rc;
}

int explain_advice_wakeup_test(struct explain_search *s, uint64_t runs,
			       struct explanation_advice *a, struct err *e)
{
	int rc = 0;

	for (uint64_t i = 0; i < runs && rc == 0 && limit_reached(s->limit) == LIMIT_NONE; i++) {
		struct run_result r = RUN_RESULT_INIT;
		bool applies = false, failed = false;

		rc = draw(s, i, NULL, 0, &r, e);
		if (rc == 0 && fails_so(s, &r))
			rc = wake_all(s, &r, &applies, &failed, e);
		if (rc == 0 && applies)
			count(a, failed);
		run_result_free(&r);
	}
	return rc;
}
