#include "run/confirm/confirm.h"

/* The longest execution that is still waited for when time is up. */
#define LAST_NS UINT64_C(10000000000)

struct wire_job run_again_job(const struct wire_job *original, uint32_t flags, size_t n)
{
	struct wire_job job = *original;

	job.strategy = STRATEGY_REPLAY;
	job.flags = (original->flags & JOB_NATURE) | flags;
	job.runs = 1;
	job.deadline = 0;
	job.schedule_count = n;
	return job;
}

int run_again(const struct run_again *a, uint32_t flags, const struct wire_choice *choices,
	      size_t n, struct run_result *r, struct err *e)
{
	struct wire_job job = run_again_job(&a->job, flags, n);

	return run_engine_job(a->engine, a->guest, &job, choices, r, e);
}

int run_last(const struct run_again *a, const struct wire_job *job,
	     const struct wire_choice *choices, struct run_result *r, struct err *e)
{
	const struct limit *before = run_guest_limit(a->guest, NULL);
	struct limit last = limit_after(before, LAST_NS);
	int rc;

	run_guest_limit(a->guest, &last);
	rc = run_engine_job(a->engine, a->guest, job, choices, r, e);
	run_guest_limit(a->guest, before);
	return rc;
}

bool run_again_same(const struct run_again *a, const struct run_result *r, uint64_t key)
{
	return r->verdict == RUN_FAILURE && run_result_key(r) == key &&
	       (!a->same || a->same(a->arg, r));
}

int run_confirm(const struct run_again *a, const struct wire_choice *choices, size_t n,
		uint64_t key, struct run_result *r, struct err *e)
{
	struct wire_job job = run_again_job(&a->job, JOB_EVENTS | JOB_EXACT, n);
	int rc = run_last(a, &job, choices, r, e);

	if (rc != 0)
		return rc;
	if (run_again_same(a, r, key))
		return 0;
	if (r->verdict == RUN_FAILURE)
		return err_set(e, ERR_MISMATCH,
			       "the same schedule failed in another way (kind %u) %s",
			       r->wire.failure.kind, r->wire.failure.text);
	return err_set(e, ERR_MISMATCH, "the same schedule ended otherwise: %s%s%s",
		       run_verdict_name(r->verdict), r->reason[0] ? ": " : "", r->reason);
}
