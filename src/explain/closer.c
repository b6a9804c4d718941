/* Schedules that are drawn, and passing ones brought closer to the failing one. */
#include "base/rng.h"
#include "explain/search_priv.h"

#define DRAWN_RUNS 400
#define CLOSER_RUNS 200
#define TEST_NEAR 200
#define TEST_DRAWN 100

/* Runs of a kind. */
static unsigned so_many(const struct explain_search *s, unsigned n)
{
	return s->brief ? n / 4 : n;
}

static int draw(struct explain_search *s, uint64_t seed, struct err *e)
{
	struct wire_job job = s->again.job;
	struct run_result r = RUN_RESULT_INIT;
	struct model_schedule drawn = VEC_INIT;
	int rc;

	job.strategy = seed % 2 ? STRATEGY_RANDOM : STRATEGY_PCT;
	job.flags = (job.flags & JOB_EXIT_IS_FAILURE) | JOB_EVENTS;
	job.bound = 3;
	job.expected_steps = s->failing->exec.run.wire.steps;
	job.runs = 1;
	job.seed = seed;
	job.deadline = 0;
	job.schedule_count = 0;
	rc = run_engine_job(s->again.engine, s->again.guest, &job, NULL, &r, e);
	/* What the program calls random depends on the seed: only the schedule is of use. */
	for (size_t i = 0; rc == 0 && i < r.choices.count; i++)
		vec_push(&drawn, r.choices.items[i]);
	if (rc == 0)
		rc = explain_search_try(s, &drawn, e);
	run_result_free(&r);
	vec_free(&drawn);
	return rc;
}

int explain_search_draw(struct explain_search *s, struct err *e)
{
	uint64_t most = s->max_runs;
	int rc = 0;

	/* They are worth runs of their own: without a passing one there is no answer. */
	s->max_runs = s->runs + so_many(s, DRAWN_RUNS);
	for (uint64_t i = 1; i <= so_many(s, DRAWN_RUNS) && rc == 0 && !explain_search_over(s); i++)
		rc = draw(s, i, e);
	s->max_runs = most > s->runs ? most : s->runs;
	return rc;
}

/* The first `from' operations as they failed, the others as in the best one. */
static void mix(const struct explain_search *s, uint32_t from, struct explain_order *out)
{
	const struct explain_exec *f = &s->failing->exec;
	bool *done = xcalloc(f->ops.count + 1, sizeof(*done));

	for (uint32_t i = 0; i < from; i++) {
		vec_push(out, ((struct explain_step){i, 0, false}));
		done[i] = true;
	}
	for (uint32_t i = 0; i < s->best.ops.count; i++) {
		uint32_t op = explain_exec_find(f, s->best.ops.items[i].key);

		if (op != EXPLAIN_NONE && !done[op])
			vec_push(out, ((struct explain_step){op, 0, false}));
		if (op == EXPLAIN_NONE && s->best.ops.items[i].thread < f->run.threads.count)
			vec_push(out, ((struct explain_step){EXPLAIN_NONE,
							     s->best.ops.items[i].thread, false}));
		if (op != EXPLAIN_NONE)
			done[op] = true;
	}
	free(done);
}

/* The first `to' operations as in the best one, the others as they failed. */
static void mix_back(const struct explain_search *s, uint32_t to, struct explain_order *out)
{
	const struct explain_exec *f = &s->failing->exec;
	bool *done = xcalloc(f->ops.count + 1, sizeof(*done));

	for (uint32_t i = 0; i < to; i++) {
		uint32_t op = explain_exec_find(f, s->best.ops.items[i].key);

		if (op == EXPLAIN_NONE)
			continue;
		vec_push(out, ((struct explain_step){op, 0, false}));
		done[op] = true;
	}
	for (uint32_t i = 0; i < f->ops.count; i++)
		if (!done[i])
			vec_push(out, ((struct explain_step){i, 0, false}));
	free(done);
}

static int try_mix(struct explain_search *s, uint32_t at, bool back, struct err *e)
{
	struct explain_order order = VEC_INIT;
	int rc;

	if (back)
		mix_back(s, at, &order);
	else
		mix(s, at, &order);
	rc = explain_search_order(s, &order, e);
	vec_free(&order);
	return rc;
}

static uint32_t common_prefix(const struct explain_search *s)
{
	const struct explain_exec *f = &s->failing->exec;
	uint32_t i = 0;

	while (i < f->ops.count && i < s->best.ops.count &&
	       f->ops.items[i].key == s->best.ops.items[i].key)
		i++;
	return i;
}

/* Later and later beginnings of the difference, by halves. */
static int later_beginning(struct explain_search *s, struct err *e)
{
	uint32_t low = common_prefix(s), high = (uint32_t)s->failing->exec.ops.count;
	int rc = 0;

	while (rc == 0 && low + 1 < high && !explain_search_over(s)) {
		uint32_t middle = low + (high - low) / 2;

		rc = try_mix(s, middle, false, e);
		if (common_prefix(s) >= middle)
			low = common_prefix(s);
		else
			high = middle;
	}
	return rc;
}

/* Earlier and earlier ends of it. */
static int earlier_end(struct explain_search *s, struct err *e)
{
	uint32_t from = common_prefix(s), to = (uint32_t)s->best.ops.count;
	uint32_t step = (to - from) / 16 + 1;
	int rc = 0;

	for (uint32_t at = from + 1; at < to && rc == 0 && !explain_search_over(s); at += step) {
		size_t before = s->difference.variations.count;

		rc = try_mix(s, at, true, e);
		if (s->difference.variations.count < before)
			break;
	}
	return rc;
}

int explain_search_closer(struct explain_search *s, struct err *e)
{
	int rc;

	s->max_runs = s->runs + so_many(s, CLOSER_RUNS);
	rc = later_beginning(s, e);
	return rc == 0 ? earlier_end(s, e) : rc;
}

/* Operations of a thread moved forward by chance. */
static int near(struct explain_search *s, struct rng *rng, struct err *e)
{
	const struct explain_exec *f = &s->failing->exec;
	uint32_t last = (uint32_t)rng_below(rng, f->ops.count);
	uint32_t first = (uint32_t)rng_below(rng, last + 1);
	struct explain_move m = {first, last, f->ops.items[last].thread};
	struct explain_order order = VEC_INIT;
	int rc;

	if (rng_below(rng, 4) == 0)
		m.last = EXPLAIN_NONE;
	explain_order_move(f, &m, &order);
	rc = explain_search_order(s, &order, e);
	vec_free(&order);
	return rc;
}

int explain_search_test(struct explain_search *s, struct err *e)
{
	struct rng rng;
	int rc = 0;

	rng_seed(&rng, 1);
	for (unsigned i = 0; i < so_many(s, TEST_NEAR) && rc == 0 && limit_reached(s->limit) == LIMIT_NONE; i++)
		rc = near(s, &rng, e);
	for (unsigned i = 0; i < so_many(s, TEST_DRAWN) && rc == 0 && limit_reached(s->limit) == LIMIT_NONE;
	     i++)
		rc = draw(s, DRAWN_RUNS + i, e);
	return rc;
}
