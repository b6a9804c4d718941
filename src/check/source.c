#include "check/source.h"

#include <stdlib.h>
#include <sys/uio.h>
#include <time.h>

static uint64_t now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * UINT64_C(1000000000) + (uint64_t)t.tv_nsec;
}

/* ---- one batch ---- */

static struct wire_batch_run *batch_runs(const struct check_source *s, size_t *room)
{
	const struct run_ctl *c = run_guest_ctl(s->guest);

	*room = c->scratch.bytes / sizeof(struct wire_batch_run);
	return (struct wire_batch_run *)(void *)((char *)c->block + c->scratch.offset);
}

static int post(struct check_source *s, const struct wire_job *job, struct err *e)
{
	uint64_t begin = now_ns();
	int rc = run_engine_job(s->engine, s->guest, job, s->follow.items, &s->result, e);

	s->guest_ns += now_ns() - begin;
	return rc;
}

/* A batch cannot be taken over half way by another engine: it is carried out anew. */
static int post_whole(struct check_source *s, const struct wire_job *job,
		      const struct wire_batch_run *runs, size_t n, struct err *e)
{
	uint32_t engine;
	int rc;

	do {
		size_t room;
		struct wire_batch_run *to = batch_runs(s, &room);

		engine = run_engine_now(s->engine);
		memcpy(to, runs, n * sizeof(*runs));
		rc = post(s, job, e);
	} while (rc == 0 && engine != run_engine_now(s->engine));
	return rc;
}

static void keep_failed(struct check_source *s, const struct wire_batch_run *run)
{
	struct check_failed f = {.kind = run->failure_kind, .site = run->failure_site};

	for (size_t i = 0; i < s->failed.count; i++)
		if (s->failed.items[i].kind == f.kind && s->failed.items[i].site == f.site)
			return;
	for (uint64_t i = 0; i < run->count; i++)
		vec_push(&f.path, s->follow.items[run->first + i]);
	vec_push(&s->failed, f);
}

static int take_run(struct check_source *s, const struct wire_batch_run *run, struct err *e)
{
	const struct wire_event *events = s->result.events.items + run->event_first;

	s->executions++;
	s->diverged += run->outcome == OUTCOME_DIVERGED;
	s->events += run->event_count;
	if (run->outcome == OUTCOME_FAILURE)
		keep_failed(s, run);
	ingest_note(&s->ingest, events, run->event_count);
	if (cells_changed(&s->cells))
		return PRODUCT_AGAIN;
	if (s->job.fence_count == 0)
		return ingest_run(&s->ingest, run, events, run->event_count, e);
	check_fenced_write(&s->fenced, &s->job, events, run->event_count);
	return ingest_run(&s->ingest, run, s->fenced.items, s->fenced.count, e);
}

/* Every run that was carried out is looked at, even when an earlier one asks for a new beginning. */
static int take_runs(struct check_source *s, size_t n, size_t *done, struct err *e)
{
	size_t room;
	const struct wire_batch_run *runs = batch_runs(s, &room);
	int rc = 0;

	for (*done = 0; *done < n && *done < s->result.wire.runs; ++*done) {
		struct wire_batch_run run = runs[*done];
		int one;

		if (run.outcome == OUTCOME_STEPDOWN || run.outcome == OUTCOME_TROUBLE)
			break;
		if (run.event_first > s->result.events.count ||
		    run.event_count > s->result.events.count - run.event_first)
			break; /* its events did not fit */
		if (rc == PRODUCT_AGAIN) {
			ingest_note(&s->ingest, s->result.events.items + run.event_first,
				    run.event_count);
			continue;
		}
		one = take_run(s, &run, e);
		if (one && rc == 0)
			rc = one;
		if (rc < 0)
			return rc;
	}
	return rc;
}

static void lay_out(struct check_source *s, const struct product_path *paths,
		    struct wire_batch_run *runs, size_t n)
{
	vec_clear(&s->follow);
	for (size_t i = 0; i < n; i++) {
		runs[i] = (struct wire_batch_run){.first = s->follow.count,
						  .count = paths[i].count};
		for (size_t k = 0; k < paths[i].count; k++)
			vec_push(&s->follow, paths[i].items[k]);
	}
}

static int run_batch(struct check_source *s, const struct product_path *paths, size_t n,
		     size_t *done, struct err *e)
{
	struct wire_batch_run *runs = xcalloc(n, sizeof(*runs));
	struct wire_job job = s->job;
	int rc;

	lay_out(s, paths, runs, n);
	job.strategy = STRATEGY_BATCH;
	job.flags |= JOB_EVENTS | JOB_STAY | JOB_DETAILS;
	job.runs = n;
	job.schedule_count = s->follow.count;
	rc = post_whole(s, &job, runs, n, e);
	free(runs);
	if (rc)
		return rc;
	rc = take_runs(s, n, done, e);
	if (rc == 0 && *done == 0)
		rc = err_set(e, ERR_GUEST, "%s", s->result.reason[0] ? s->result.reason
								     : "an execution is too long");
	return rc;
}

static int learn_paths(struct product_source *base, const struct product_path *paths, size_t n,
		       struct err *e)
{
	struct check_source *s = (struct check_source *)base;
	size_t at = 0, done;
	int rc = 0;

	while (rc == 0 && at < n) {
		rc = run_batch(s, paths + at, n - at, &done, e);
		at += done;
		if (rc == 0 && s->stop_early && s->failed.count)
			rc = PRODUCT_STOP;
		if (rc == 0 && s->max_executions && s->executions >= s->max_executions) {
			s->exhausted = true;
			rc = PRODUCT_STOP;
		}
	}
	return rc;
}

/* ---- beginnings ---- */

void check_source_init(struct check_source *s, struct run_engine *engine, struct run_guest *guest,
		       const struct wire_job *job)
{
	memset(s, 0, sizeof(*s));
	s->base.l = &s->learn;
	s->base.learn = learn_paths;
	s->engine = engine;
	s->guest = guest;
	s->job = *job;
	s->result = (struct run_result)RUN_RESULT_INIT;
	cells_init(&s->cells);
	learn_init(&s->learn);
	ingest_init(&s->ingest, &s->learn, &s->cells, job->model);
}

void check_source_fini(struct check_source *s)
{
	for (size_t i = 0; i < s->failed.count; i++)
		vec_free(&s->failed.items[i].path);
	vec_free(&s->failed);
	vec_free(&s->follow);
	vec_free(&s->fenced);
	run_result_free(&s->result);
	ingest_fini(&s->ingest);
	learn_fini(&s->learn);
	cells_fini(&s->cells);
}

/*
 * Between jobs the memory of the guest is as it was when main began.  What cannot be read is not
 * mapped yet, and zero when it will be.
 */
static void read_initial(struct check_source *s)
{
	pid_t pid = (pid_t)run_guest_ctl(s->guest)->block->guest_pid;

	for (size_t i = 0; i < s->cells.tracked.count; i++) {
		const struct learn_object *o = &s->learn.objects.items[i];
		struct iovec to = {s->learn.memory.items + o->offset, o->size};
		struct iovec from = {(void *)o->address, o->size};

		/* The heap and the stacks hold what earlier runs left there. */
		if (o->address - WIRE_HEAP_ADDR < WIRE_HEAP_BYTES ||
		    o->address - WIRE_SLOTS_ADDR < WIRE_SLOT_BYTES * WIRE_MAX_LIVE ||
		    process_vm_readv(pid, &to, 1, &from, 1, 0) != (ssize_t)o->size)
			memset(to.iov_base, 0, o->size);
	}
}

int check_source_renew(struct check_source *s, struct err *e)
{
	bool input = s->ingest.input;

	ingest_fini(&s->ingest);
	learn_fini(&s->learn);
	learn_init(&s->learn);
	cells_layout(&s->cells, &s->learn);
	ingest_init(&s->ingest, &s->learn, &s->cells, s->job.model);
	s->ingest.input = input;
	s->ingest.count_visits = s->count_visits;
	read_initial(s);
	s->restarts++;
	return 0;
}

int check_source_warm_up(struct check_source *s, uint64_t runs, struct err *e)
{
	struct wire_job job = s->job;
	int rc = 0;

	job.flags |= JOB_EVENTS | JOB_DETAILS;
	job.runs = 1;
	for (uint64_t i = 0; rc == 0 && i < runs; i++) {
		job.strategy = i == 0 ? STRATEGY_RR : STRATEGY_RANDOM;
		job.seed = s->job.seed + i;
		vec_clear(&s->follow);
		rc = post(s, &job, e);
		if (rc == 0)
			ingest_note(&s->ingest, s->result.events.items, s->result.events.count);
	}
	return rc;
}
