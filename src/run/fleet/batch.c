#include "run/fleet/batch.h"

#include <stdlib.h>
#include <string.h>

#include "base/limit.h"
#include "base/mem.h"

/* ---- one guest ---- */

static struct wire_batch_run *scratch_of(struct run_guest *guest, size_t *room)
{
	const struct run_ctl *c = run_guest_ctl(guest);

	*room = c->scratch.bytes / sizeof(struct wire_batch_run);
	return (struct wire_batch_run *)(void *)((char *)c->block + c->scratch.offset);
}

/* Runs are complete as far as the guest says so and their events are there. */
static void collect(struct run_batch_part *p, struct run_guest *guest)
{
	size_t room;
	const struct wire_batch_run *from = scratch_of(guest, &room);

	for (p->done = 0; p->done < p->count && p->done < p->result.wire.runs; p->done++) {
		struct wire_batch_run run = from[p->done];

		if (run.outcome == OUTCOME_STEPDOWN || run.outcome == OUTCOME_TROUBLE ||
		    run.event_first > p->result.events.count ||
		    run.event_count > p->result.events.count - run.event_first)
			return;
		p->runs[p->done].event_first = run.event_first;
		p->runs[p->done].event_count = run.event_count;
		p->runs[p->done].outcome = run.outcome;
		p->runs[p->done].failure_kind = run.failure_kind;
		p->runs[p->done].failure_site = run.failure_site;
		p->runs[p->done].failure_tid = run.failure_tid;
		p->runs[p->done].failure_addr = run.failure_addr;
	}
}

/* A batch cannot be taken over half way by another engine: it is carried out anew. */
static void carry_out(void *arg, unsigned number, struct run_guest *guest)
{
	struct run_batch *b = arg;
	struct run_batch_part *p = &b->parts.items[number];
	struct wire_job job = b->job;
	uint32_t engine;

	job.strategy = STRATEGY_BATCH;
	job.flags |= JOB_EVENTS | JOB_STAY | JOB_DETAILS;
	job.runs = p->count;
	job.schedule_count = p->follow.count;
	do {
		size_t room;
		struct wire_batch_run *to = scratch_of(guest, &room);

		engine = run_engine_now(b->engine);
		if (p->count > room)
			p->count = job.runs = room;
		memcpy(to, p->runs, p->count * sizeof(*to));
		p->rc = run_engine_job(b->engine, guest, &job, p->follow.items, &p->result, &p->e);
	} while (p->rc == 0 && engine != run_engine_now(b->engine));
	p->done = 0;
	if (p->rc == 0)
		collect(p, guest);
}

static void lay_out(struct run_batch_part *p, const struct model_schedule *paths, size_t n)
{
	free(p->runs);
	p->runs = xcalloc(n ? n : 1, sizeof(*p->runs));
	p->count = n;
	p->done = 0;
	p->rc = 0;
	vec_clear(&p->follow);
	for (size_t i = 0; i < n; i++) {
		p->runs[i].first = p->follow.count;
		p->runs[i].count = paths[i].count;
		for (size_t k = 0; k < paths[i].count; k++)
			vec_push(&p->follow, paths[i].items[k]);
	}
}

/* ---- all of them ---- */

int run_batch_init(struct run_batch *b, struct run_engine *engine, struct run_guest *first,
		   const struct run_guest_opts *opts, unsigned n, const struct wire_job *job,
		   struct err *e)
{
	memset(b, 0, sizeof(*b));
	b->engine = engine;
	b->job = *job;
	for (unsigned i = 0; i < n; i++)
		vec_push(&b->parts, ((struct run_batch_part){.result = RUN_RESULT_INIT}));
	return run_fleet_init(&b->fleet, first, opts, n, e);
}

void run_batch_fini(struct run_batch *b)
{
	run_fleet_fini(&b->fleet);
	for (size_t i = 0; i < b->parts.count; i++) {
		run_result_free(&b->parts.items[i].result);
		vec_free(&b->parts.items[i].follow);
		free(b->parts.items[i].runs);
	}
	vec_free(&b->parts);
}

int run_batch_do(struct run_batch *b, const struct model_schedule *schedules, size_t n,
		 struct err *e)
{
	uint64_t begin = limit_now();
	size_t members = b->parts.count, at = 0, busy = 1;

	for (size_t i = 0; i < members; i++) {
		size_t share = (n - at + (members - i) - 1) / (members - i);

		lay_out(&b->parts.items[i], schedules + at, share);
		at += share;
		busy = share > 0 ? i + 1 : busy;
	}
	run_fleet_work(&b->fleet, (unsigned)busy, carry_out, b);
	b->busy_ns += limit_now() - begin;
	for (size_t i = 0; i < members; i++) {
		const struct run_batch_part *p = &b->parts.items[i];

		if (p->count && p->rc) {
			*e = p->e;
			return p->rc;
		}
	}
	return 0;
}
