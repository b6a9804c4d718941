#include "check/crew.h"

#include <stdlib.h>

#include "run/watch.h"

enum crew_state { CREW_IDLE, CREW_WORK, CREW_QUIT };

/* ---- one guest ---- */

static struct wire_batch_run *scratch_of(const struct crew_member *m, size_t *room)
{
	const struct run_ctl *c = run_guest_ctl(m->guest);

	*room = c->scratch.bytes / sizeof(struct wire_batch_run);
	return (struct wire_batch_run *)(void *)((char *)c->block + c->scratch.offset);
}

/* Runs are complete as far as the guest says so and their events are there. */
static void collect(struct crew_member *m)
{
	struct crew_part *p = &m->part;
	size_t room;
	const struct wire_batch_run *from = scratch_of(m, &room);

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
static void carry_out(struct crew_member *m)
{
	struct crew_part *p = &m->part;
	struct wire_job job = m->crew->job;
	uint32_t engine;

	job.strategy = STRATEGY_BATCH;
	job.flags |= JOB_EVENTS | JOB_STAY | JOB_DETAILS;
	job.runs = p->count;
	job.schedule_count = p->follow.count;
	do {
		size_t room;
		struct wire_batch_run *to = scratch_of(m, &room);

		engine = run_engine_now(m->crew->engine);
		if (p->count > room)
			p->count = job.runs = room;
		memcpy(to, p->runs, p->count * sizeof(*to));
		p->rc = run_engine_job(m->crew->engine, m->guest, &job, p->follow.items, &p->result,
				       &p->e);
	} while (p->rc == 0 && engine != run_engine_now(m->crew->engine));
	p->done = 0;
	if (p->rc == 0)
		collect(m);
}

static void lay_out(struct crew_part *p, const struct product_path *paths, size_t n)
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

/* ---- the others ---- */

static void *work(void *arg)
{
	struct crew_member *m = arg;
	struct crew *c = m->crew;

	pthread_mutex_lock(&c->lock);
	while (m->state != CREW_QUIT) {
		if (m->state == CREW_IDLE) {
			pthread_cond_wait(&c->changed, &c->lock);
			continue;
		}
		pthread_mutex_unlock(&c->lock);
		carry_out(m);
		pthread_mutex_lock(&c->lock);
		m->state = CREW_IDLE;
		pthread_cond_broadcast(&c->changed);
	}
	pthread_mutex_unlock(&c->lock);
	run_guest_stop(m->guest);
	return NULL;
}

static void set_state(struct crew_member *m, enum crew_state state)
{
	pthread_mutex_lock(&m->crew->lock);
	m->state = state;
	pthread_cond_broadcast(&m->crew->changed);
	pthread_mutex_unlock(&m->crew->lock);
}

static void wait_idle(struct crew_member *m)
{
	pthread_mutex_lock(&m->crew->lock);
	while (m->state == CREW_WORK)
		pthread_cond_wait(&m->crew->changed, &m->crew->lock);
	pthread_mutex_unlock(&m->crew->lock);
}

static int add_member(struct crew *c, struct run_guest *guest, const struct run_guest_opts *opts,
		      struct err *e)
{
	struct crew_member *m = xcalloc(1, sizeof(*m));
	int rc = 0;

	m->crew = c;
	m->guest = guest;
	m->part.result = (struct run_result)RUN_RESULT_INIT;
	vec_push(&c->members, m);
	if (guest)
		return 0;
	rc = run_guest_new(opts, &m->guest, e);
	m->owns_guest = rc == 0;
	if (rc == 0 && pthread_create(&m->thread, NULL, work, m) != 0)
		rc = err_set(e, ERR_IO, "cannot start a thread");
	m->has_thread = rc == 0;
	return rc;
}

int crew_init(struct crew *c, struct run_engine *engine, struct run_guest *first,
	      const struct run_guest_opts *opts, unsigned n, const struct wire_job *job,
	      struct err *e)
{
	int rc;

	memset(c, 0, sizeof(*c));
	c->engine = engine;
	c->job = *job;
	pthread_mutex_init(&c->lock, NULL);
	pthread_cond_init(&c->changed, NULL);
	rc = add_member(c, first, NULL, e);
	for (unsigned i = 1; rc == 0 && i < n; i++)
		rc = add_member(c, NULL, opts, e);
	return rc;
}

void crew_fini(struct crew *c)
{
	for (size_t i = 0; i < c->members.count; i++) {
		struct crew_member *m = c->members.items[i];

		if (m->has_thread) {
			set_state(m, CREW_QUIT);
			pthread_join(m->thread, NULL);
		}
		if (m->owns_guest)
			run_guest_free(m->guest);
		run_result_free(&m->part.result);
		vec_free(&m->part.follow);
		free(m->part.runs);
		free(m);
	}
	vec_free(&c->members);
	pthread_cond_destroy(&c->changed);
	pthread_mutex_destroy(&c->lock);
}

int crew_run(struct crew *c, const struct product_path *paths, size_t n, struct err *e)
{
	uint64_t begin = run_watch_now();
	size_t members = c->members.count, at = 0;

	for (size_t i = 0; i < members; i++) {
		size_t share = (n - at + (members - i) - 1) / (members - i);

		lay_out(&c->members.items[i]->part, paths + at, share);
		at += share;
		if (i > 0 && share > 0)
			set_state(c->members.items[i], CREW_WORK);
	}
	carry_out(c->members.items[0]);
	for (size_t i = 1; i < members; i++)
		wait_idle(c->members.items[i]);
	c->busy_ns += run_watch_now() - begin;
	for (size_t i = 0; i < members; i++) {
		const struct crew_part *p = &c->members.items[i]->part;

		if (p->count && p->rc) {
			*e = p->e;
			return p->rc;
		}
	}
	return 0;
}
