#include "repro/search/search.h"

#include <stdio.h>

#include "base/limit.h"
#include "repro/search/guide.h"
#include "repro/search/ways.h"

#define SLICE_NS UINT64_C(200000000)
#define SLICE_RUNS 4 /* that there must be time for, however long one takes */
#define MANY_RUNS UINT64_C(1000000000)
#define PCT_DEPTHS 4
#define TROUBLES 8	/* so many executions may go wrong before it is given up */
#define GUIDED_EVERY 16 /* attempts between two looks at the clock */

struct search {
	const struct repro_search_opts *o;
	struct repro_search_stats *stats;
	struct repro_guide *guide;
	struct repro_ways ways;
	bool has_ways;
	struct repro_choices_list schedule;
	struct run_result result;
	struct run_finding *out;
	struct rng rng;
	uint64_t seed, steps; /* of the next drawn run; length of a run */
	uint64_t one_ns;      /* that one execution took at most */
	uint64_t taken;	      /* stamps that the execution being shaken follows */
	double shake;
};

static bool is_over(const struct search *s)
{
	return limit_reached(s->o->limit) != LIMIT_NONE || s->stats->in_trouble;
}

static void keep(struct search *s, const struct wire_job *job, struct run_finding *out)
{
	*out = (struct run_finding){.key = run_result_key(&s->result), .count = 1};
	out->job = *job;
	out->job.seed = s->result.wire.seed;
	out->result = s->result;
	s->result = (struct run_result)RUN_RESULT_INIT;
}

/* One job; 1: it ended with the recorded failure. */
static int carry_out(struct search *s, const struct wire_job *job, struct err *e)
{
	const struct wire_choice *follow = job->schedule_count ? s->schedule.items : NULL;
	enum repro_likeness same;
	int rc = run_engine_job(s->o->engine, s->o->guest, job, follow, &s->result, e);

	if (rc != 0)
		return rc;
	s->stats->runs += s->result.wire.runs;
	s->stats->limits += s->result.wire.limits;
	switch (s->result.verdict) {
	case RUN_FAILURE:
		same = repro_match(s->o->match, &s->result);
		if (same == REPRO_NEAR && s->o->near->count == 0) {
			*s->o->near_why = s->o->match->near;
			keep(s, job, s->o->near);
		}
		if (same != REPRO_SAME)
			return 0;
		keep(s, job, s->out);
		return 1;
	case RUN_TROUBLE:
	case RUN_HUNG:
	case RUN_STEPDOWN:
		/* One schedule may lead where no run can be controlled; others need not. */
		s->stats->in_trouble = ++s->stats->troubles >= TROUBLES;
		snprintf(s->stats->reason, sizeof(s->stats->reason), "%s", s->result.reason);
		return 0;
	default:
		return 0;
	}
}

/* ---- along the recorded times ---- */

static struct wire_job guided_job(const struct search *s, uint32_t model)
{
	uint32_t flags = JOB_EVENTS | JOB_WISH | (s->has_ways ? JOB_MARKERS : 0);
	struct wire_job job = run_again_job(&s->o->job, flags, s->schedule.count);

	job.model = model;
	return job;
}

/* The execution that follows most of the recorded stamps is the one to go on with. */
static void take_better(struct search *s)
{
	struct repro_guide *fresh;
	uint64_t found;

	if (s->result.verdict != RUN_CLEAN && s->result.verdict != RUN_FAILURE &&
	    s->result.verdict != RUN_LIMIT)
		return;
	if (s->result.wire.event_lost)
		return;
	fresh = repro_guide_new(s->o->match->recording);
	found = repro_guide_take(fresh, &s->result);
	if (s->has_ways)
		repro_ways_take(&s->ways, &s->result, repro_guide_tasks(fresh));
	if (s->has_ways && s->ways.agreed.bits > s->stats->bits)
		s->stats->bits = s->ways.agreed.bits;
	if (s->guide && found < s->taken) {
		repro_guide_free(fresh);
		return;
	}
	repro_guide_free(s->guide);
	s->guide = fresh;
	s->taken = found;
	if (found > s->stats->stamps)
		s->stats->stamps = found;
}

static int follow_times(struct search *s, uint32_t model, uint64_t ns, struct err *e)
{
	struct limit limit = limit_within(s->o->limit, ns);
	struct wire_job job;
	uint64_t begin;
	int rc = 0;

	vec_clear(&s->schedule);
	repro_ways_begin(&s->ways);
	for (uint64_t i = 0; rc == 0 && !s->stats->in_trouble; i++) {
		if (i % GUIDED_EVERY == 0 && limit_reached(&limit) != LIMIT_NONE)
			break;
		/* In turns: near the recorded times, and along the recorded ways. */
		if (i > 0 && i % 2 == 0 && s->has_ways)
			(void)repro_ways_draw(&s->ways, &s->rng, &s->schedule);
		else if (s->guide)
			repro_guide_draw(s->guide, i == 0 ? 0 : s->shake, &s->rng, &s->schedule);
		job = guided_job(s, model);
		begin = limit_now();
		rc = carry_out(s, &job, e);
		if (limit_now() - begin > s->one_ns)
			s->one_ns = limit_now() - begin;
		s->stats->guided++;
		if (rc == 0)
			take_better(s);
		s->shake = s->shake >= 1 ? 0.05 : s->shake + 0.01;
	}
	return rc;
}

/* ---- drawn ---- */

static int draw(struct search *s, struct wire_job job, uint64_t ns, struct err *e)
{
	uint64_t few = s->one_ns * SLICE_RUNS;
	struct limit limit = limit_within(s->o->limit, ns > few ? ns : few);
	int rc = 0;

	job.runs = MANY_RUNS;
	job.flags |= JOB_SKIP_KNOWN | JOB_KNOWN_THREAD;
	while (rc == 0 && !s->stats->in_trouble && limit_reached(&limit) == LIMIT_NONE) {
		job.seed = s->seed;
		job.deadline = limit_now() + (few > SLICE_NS ? few : SLICE_NS);
		if (limit.end_ns && limit.end_ns < job.deadline)
			job.deadline = limit.end_ns;
		rc = carry_out(s, &job, e);
		s->seed += s->result.wire.runs + 1;
		if (s->result.wire.max_steps_seen > s->steps)
			s->steps = s->result.wire.max_steps_seen;
		if (s->o->progress)
			s->o->progress(s->o->arg, s->stats);
		if (rc == 0 && s->result.wire.exhausted)
			break;
		if (job.strategy == STRATEGY_DFS)
			job.flags |= JOB_DFS_RESUME;
	}
	return rc;
}

static int draw_all(struct search *s, uint32_t model, uint64_t round, uint64_t ns, struct err *e)
{
	struct wire_job job = s->o->job;
	int rc;

	job.model = model;
	job.strategy = STRATEGY_RANDOM;
	rc = draw(s, job, ns, e);
	job.strategy = STRATEGY_PCT;
	job.expected_steps = s->steps ? s->steps : 1000;
	job.bound = 2 + (uint32_t)(round % PCT_DEPTHS);
	if (rc == 0 && !is_over(s))
		rc = draw(s, job, ns, e);
	job.strategy = STRATEGY_DFS;
	job.bound = 1 + (uint32_t)(round < 3 ? round : 3);
	if (rc == 0 && !is_over(s))
		rc = draw(s, job, ns / 2, e);
	return rc;
}

static int search_round(struct search *s, uint64_t round, uint64_t ns, struct err *e)
{
	int rc = 0;

	for (uint32_t m = MODEL_SC; m < MODEL_COUNT && rc == 0 && !is_over(s); m++) {
		if (!s->o->models[m])
			continue;
		s->stats->model = m;
		rc = follow_times(s, m, ns, e);
		if (rc == 0 && !is_over(s))
			rc = draw_all(s, m, round, ns, e);
	}
	return rc;
}

int repro_search(const struct repro_search_opts *o, struct run_finding *out,
		 struct repro_search_stats *stats, struct err *e)
{
	struct search s = {.o = o,
			   .stats = stats,
			   .result = RUN_RESULT_INIT,
			   .out = out,
			   .seed = o->job.seed,
			   .shake = 0.05};
	uint64_t ns = o->first_ns;
	struct err why = ERR_INIT;
	int rc = 0;

	rng_seed(&s.rng, o->job.seed);
	s.has_ways =
		o->program && repro_ways_init(&s.ways, o->match->recording, o->program, &why) == 0;
	for (uint64_t round = 0; rc == 0 && !is_over(&s); round++) {
		if (o->rounds && round >= o->rounds)
			break;
		rc = search_round(&s, round, ns, e);
		ns *= 2;
	}
	repro_guide_free(s.guide);
	repro_ways_fini(&s.ways);
	vec_free(&s.schedule);
	run_result_free(&s.result);
	return rc;
}
