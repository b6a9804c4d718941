#include "explore/policy/source.h"

#include <stdlib.h>
#include <sys/uio.h>

#include "base/limit.h"

#define WARM_UP_NS UINT64_C(2000000000)
#define KEPT_RUNS 64
#define KEPT_EVENTS 4096 /* of one run */

/* ---- one batch ---- */

static void keep_failed(struct check_source *s, const struct wire_batch_run *run,
			const struct wire_choice *follow)
{
	struct check_failed f = {.kind = run->failure_kind, .site = run->failure_site};

	for (size_t i = 0; i < s->failed.count; i++)
		if (s->failed.items[i].kind == f.kind && s->failed.items[i].site == f.site)
			return;
	for (uint64_t i = 0; i < run->count; i++)
		vec_push(&f.path, follow[run->first + i]);
	vec_push(&s->failed, f);
}

/* The first executions show most of what is shared; a new beginning takes them over again. */
static void keep_run(struct check_source *s, const struct wire_batch_run *run,
		     const struct wire_event *events)
{
	struct check_kept kept = {.run = *run};

	if (s->kept.count >= KEPT_RUNS || run->event_count > KEPT_EVENTS)
		return;
	for (uint64_t i = 0; i < run->event_count; i++)
		vec_push(&kept.events, events[i]);
	vec_push(&s->kept, kept);
}

static int take_events(struct check_source *s, const struct wire_batch_run *run,
		       const struct wire_event *events, struct err *e)
{
	if (s->job.fence_count == 0)
		return ingest_run(&s->ingest, run, events, run->event_count, e);
	check_fenced_write(&s->fenced, &s->job, events, run->event_count);
	return ingest_run(&s->ingest, run, s->fenced.items, s->fenced.count, e);
}

static int take_run(struct check_source *s, const struct run_batch_part *p,
		    const struct wire_batch_run *run, struct err *e)
{
	const struct wire_event *events = p->result.events.items + run->event_first;

	s->executions++;
	s->diverged += run->outcome == OUTCOME_DIVERGED;
	s->cut_off += run->outcome == OUTCOME_LIMIT;
	s->events += run->event_count;
	if (run->outcome == OUTCOME_FAILURE)
		keep_failed(s, run, p->follow.items);
	ingest_note(&s->ingest, events, run->event_count);
	keep_run(s, run, events);
	return cells_changed(&s->cells) ? PRODUCT_AGAIN : take_events(s, run, events, e);
}

/* Every run that was carried out is looked at, even when an earlier one asks for a new beginning:
 * then what comes of it does not matter, but what it touched does. */
static int take_part(struct check_source *s, const struct run_batch_part *p, int rc, struct err *e)
{
	for (size_t i = 0; i < p->done; i++) {
		const struct wire_batch_run *run = &p->runs[i];

		int one = take_run(s, p, run, e);

		rc = rc ? rc : one;
		if (rc < 0)
			return rc;
	}
	return rc;
}

/* Takes what was carried out; the paths that were not stay in s->left, in their order. */
static int take_parts(struct check_source *s, struct err *e)
{
	const struct model_schedule *paths = s->left.items;
	const char *why = "an execution is too long";
	size_t kept = 0, at = 0, done = 0;
	int rc = 0;

	for (size_t i = 0; i < s->batch.parts.count; i++) {
		const struct run_batch_part *p = &s->batch.parts.items[i];

		rc = take_part(s, p, rc, e);
		if (rc < 0)
			return rc;
		for (size_t k = 0; k < p->count; k++, at++)
			if (k >= p->done)
				s->left.items[kept++] = paths[at];
		done += p->done;
		if (p->done < p->count && p->result.reason[0])
			why = p->result.reason;
	}
	s->left.count = kept;
	return rc == 0 && done == 0 ? err_set(e, ERR_UNSUPPORTED, "%s", why) : rc;
}

static bool is_over(struct check_source *s)
{
	if (s->over == LIMIT_NONE)
		s->over = limit_reached(s->limit);
	return s->over != LIMIT_NONE;
}

static int learn_paths(struct product_source *base, const struct model_schedule *paths, size_t n,
		       struct err *e)
{
	struct check_source *s = (struct check_source *)base;
	int rc = 0;

	vec_clear(&s->left);
	for (size_t i = 0; i < n; i++)
		vec_push(&s->left, paths[i]);
	while (rc == 0 && s->left.count && !is_over(s)) {
		rc = run_batch_do(&s->batch, s->left.items, s->left.count, e);
		if (rc == 0)
			rc = take_parts(s, e);
		if (rc == 0 && s->stop_early && s->failed.count)
			rc = PRODUCT_STOP;
		if (rc == 0 && s->max_executions && s->executions >= s->max_executions) {
			s->exhausted = true;
			rc = PRODUCT_STOP;
		}
	}
	s->guest_ns = s->batch.busy_ns;
	/* A guest that was stopped and a run that was not taken in have the same reason. */
	return is_over(s) ? PRODUCT_STOP : rc;
}

/* ---- beginnings ---- */

int check_source_init(struct check_source *s, const struct check_guests *g,
		      const struct wire_job *job, struct err *e)
{
	memset(s, 0, sizeof(*s));
	s->base.l = &s->learn;
	s->base.learn = learn_paths;
	s->engine = g->engine;
	s->guest = g->first;
	s->job = *job;
	s->result = (struct run_result)RUN_RESULT_INIT;
	cells_init(&s->cells);
	learn_init(&s->learn);
	ingest_init(&s->ingest, &s->learn, &s->cells, job->model);
	return run_batch_init(&s->batch, g->engine, g->first, g->opts, g->count, job, e);
}

void check_source_fini(struct check_source *s)
{
	for (size_t i = 0; i < s->failed.count; i++)
		vec_free(&s->failed.items[i].path);
	vec_free(&s->failed);
	for (size_t i = 0; i < s->kept.count; i++)
		vec_free(&s->kept.items[i].events);
	vec_free(&s->kept);
	vec_free(&s->left);
	vec_free(&s->fenced);
	run_batch_fini(&s->batch);
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

static int take_kept(struct check_source *s, struct err *e)
{
	int rc = 0;

	for (size_t i = 0; rc == 0 && i < s->kept.count; i++)
		rc = take_events(s, &s->kept.items[i].run, s->kept.items[i].events.items, e);
	return rc;
}

int check_source_renew(struct check_source *s, struct err *e)
{
	bool input = s->ingest.input, may_spur = s->ingest.may_spur;

	ingest_fini(&s->ingest);
	learn_fini(&s->learn);
	learn_init(&s->learn);
	s->learn.folds = s->folds;
	cells_layout(&s->cells, &s->learn);
	ingest_init(&s->ingest, &s->learn, &s->cells, s->job.model);
	s->ingest.input = input;
	s->ingest.may_spur = may_spur;
	s->ingest.spurious = (s->job.flags & JOB_SPURIOUS) != 0;
	s->ingest.count_visits = s->count_visits;
	s->ingest.limit = s->limit;
	read_initial(s);
	s->restarts++;
	return take_kept(s, e);
}

int check_source_warm_up(struct check_source *s, uint64_t runs, struct err *e)
{
	struct wire_job job = s->job;
	uint64_t end = limit_now() + WARM_UP_NS;
	int rc = 0;

	job.flags |= JOB_EVENTS | JOB_DETAILS;
	job.runs = 1;
	for (uint64_t i = 0; rc == 0 && i < runs && limit_now() < end && !is_over(s); i++) {
		job.strategy = i == 0 ? STRATEGY_RR : STRATEGY_RANDOM;
		job.seed = s->job.seed + i;
		rc = run_engine_job(s->engine, s->guest, &job, NULL, &s->result, e);
		if (rc == 0)
			ingest_note(&s->ingest, s->result.events.items, s->result.events.count);
	}
	return rc;
}
