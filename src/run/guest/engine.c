#include "run/guest/engine.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "base/log.h"

#define SAID_UNSEEN 3

void run_engine_init(struct run_engine *x, enum wire_engine wanted, run_engine_fn say, void *arg)
{
	pthread_mutex_init(&x->lock, NULL);
	x->forced = wanted != ENGINE_AUTO;
	x->now = x->forced ? (uint32_t)wanted : ENGINE_RESET;
	x->say = say;
	x->arg = arg;
	memset(&x->unseen, 0, sizeof(x->unseen));
}

void run_engine_fini(struct run_engine *x)
{
	vec_free(&x->unseen);
	pthread_mutex_destroy(&x->lock);
}

static bool has_unseen(const struct run_engine *x, const char *text)
{
	for (size_t i = 0; i < x->unseen.count; i++)
		if (!strcmp(x->unseen.items[i].text, text))
			return true;
	return false;
}

static void collect_unseen(struct run_engine *x, const struct run_result *r)
{
	pthread_mutex_lock(&x->lock);
	for (size_t i = 0; i < r->unseen.count; i++)
		if (!has_unseen(x, r->unseen.items[i].text))
			vec_push(&x->unseen, r->unseen.items[i]);
	pthread_mutex_unlock(&x->lock);
}

uint32_t run_engine_now(struct run_engine *x)
{
	uint32_t now;

	pthread_mutex_lock(&x->lock);
	now = x->now;
	pthread_mutex_unlock(&x->lock);
	return now;
}

void run_engine_say_unseen(const struct run_engine *x, char *text, size_t bytes)
{
	size_t used = 0, said = 0;

	assert(bytes > 0);
	text[0] = '\0';
	for (; said < x->unseen.count && said < SAID_UNSEEN && used < bytes; said++)
		used += (size_t)snprintf(text + used, bytes - used, "%s%s", said ? "; " : "",
					 x->unseen.items[said].text);
	if (said < x->unseen.count && used < bytes)
		snprintf(text + used, bytes - used, "; and %zu more of the kind",
			 x->unseen.count - said);
}

/* True when a job that `engine' could not host should be tried again. */
static bool step_down(struct run_engine *x, uint32_t engine, const char *reason)
{
	bool again;

	pthread_mutex_lock(&x->lock);
	again = !x->forced && engine == ENGINE_RESET;
	if (again && x->now == ENGINE_RESET) {
		x->now = ENGINE_FORK;
		if (x->say)
			x->say(x->arg, reason);
	}
	pthread_mutex_unlock(&x->lock);
	return again;
}

static bool cannot_host(const struct run_result *r)
{
	return r->verdict == RUN_STEPDOWN || r->verdict == RUN_TROUBLE;
}

/*
 * Counts of the runs before the one that could not be hosted, which the guest counts as well.  A
 * systematic search cannot be taken over, so nothing of it counts; nor can the table of known
 * failures, so nothing counts of a job that has skipped any.
 */
static struct wire_result count_before(const struct wire_job *job, const struct run_result *r)
{
	struct wire_result before = {.runs = r->wire.seed - job->seed};

	if (job->strategy == STRATEGY_DFS || r->wire.seed < job->seed || before.runs >= job->runs ||
	    r->wire.failures > 0)
		before.runs = 0;
	if (before.runs > 0) {
		before.total_steps = r->wire.total_steps;
		before.limits = r->wire.limits;
	}
	return before;
}

/* Carries out the rest of a job in a new process. */
static int job_again(struct run_engine *x, struct run_guest *g, const struct wire_job *job,
		     const struct wire_choice *follow, struct run_result *r, struct err *e)
{
	struct wire_result before = count_before(job, r);
	struct wire_job left = *job;
	int rc;

	run_guest_stop(g);
	left.engine = run_engine_now(x);
	left.flags &= ~(uint32_t)JOB_DFS_RESUME;
	left.seed += before.runs;
	left.runs -= before.runs;
	rc = run_guest_job(g, &left, follow, r, e);
	collect_unseen(x, r);
	r->wire.runs += before.runs;
	r->wire.total_steps += before.total_steps;
	r->wire.limits += before.limits;
	return rc;
}

int run_engine_job(struct run_engine *x, struct run_guest *g, const struct wire_job *job,
		   const struct wire_choice *follow, struct run_result *r, struct err *e)
{
	struct wire_job now = *job;
	char reason[sizeof(r->reason) + 32];
	int rc;

	now.engine = run_engine_now(x);
	rc = run_guest_job(g, &now, follow, r, e);
	collect_unseen(x, r);
	if (rc != 0 || !cannot_host(r))
		return rc;
	snprintf(reason, sizeof(reason), "%s%s",
		 r->verdict == RUN_STEPDOWN ? "cannot undo " : "got no answer: ", r->reason);
	if (!step_down(x, now.engine, reason))
		return 0;
	log_info(LOG_RUN, "engine steps down: %s", reason);
	return job_again(x, g, job, follow, r, e);
}
