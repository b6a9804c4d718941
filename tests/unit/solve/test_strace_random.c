/*
 * Random small traces under three models, both encodings, against brute force; and traces drawn
 * from machines with cores, whose own run must stay possible.  REPRO_TRACES says how many.
 */
#include "unit.h"

#include <stdio.h>

#include "base/rng.h"
#include "solve/strace/sim.h"
#include "solve/strace/solve.h"
#include "support_enum.h"
#include "support_text.h"

#define CELLS 2

struct maker {
	struct text_trace x;
	struct rng rng;
	uint32_t reads;
	uint32_t mine[16]; /* reads of the thread at hand */
	uint32_t mine_count;
};

static uint32_t number(struct maker *m, uint64_t v)
{
	return text_expr(&m->x, TEXT_NUMBER, 0, 0, v);
}

static uint32_t read_expr(struct maker *m, uint32_t r)
{
	return text_expr(&m->x, TEXT_READ, 0, 0, r);
}

/* A constant, or something made of a read of the thread. */
static uint32_t value(struct maker *m)
{
	if (!m->mine_count || rng_below(&m->rng, 2))
		return number(m, rng_below(&m->rng, 3));
	return text_expr(&m->x, TEXT_ADD, read_expr(m, m->mine[rng_below(&m->rng, m->mine_count)]),
			 number(m, rng_below(&m->rng, 2)), 0);
}

static uint32_t new_read(struct maker *m)
{
	m->mine[m->mine_count++] = m->reads;
	return m->reads++;
}

static void touch(struct maker *m, uint32_t thread)
{
	uint32_t cell = (uint32_t)rng_below(&m->rng, CELLS);
	uint64_t kind = rng_below(&m->rng, 12);
	uint32_t e;

	if (kind < 5) {
		strace_add_event(&m->x.t, thread, STRACE_READ, 0);
		strace_add_part(&m->x.t, cell, new_read(m), STRACE_NONE);
	} else if (kind < 10) {
		e = strace_add_event(&m->x.t, thread, STRACE_WRITE, 0);
		strace_add_part(&m->x.t, cell, STRACE_NONE, value(m));
		m->x.t.events.items[e].flags = (uint8_t)(kind == 8   ? STRACE_RELEASE
							 : kind == 9 ? STRACE_THROUGH
								     : 0);
	} else if (kind == 10) {
		uint32_t v = value(m);

		strace_add_event(&m->x.t, thread, STRACE_RMW, 0);
		strace_add_part(&m->x.t, cell, new_read(m), v);
	} else {
		strace_add_event(&m->x.t, thread, STRACE_FENCE, 0);
	}
}

/* Nobody is woken for nothing: sections, tokens, waits. */
static void block(struct maker *m, uint32_t thread)
{
	uint64_t kind = rng_below(&m->rng, 6);
	uint32_t e, expires = STRACE_NONE;

	if (kind < 3) {
		bool reader = kind == 2 && rng_below(&m->rng, 2);

		strace_add_event(&m->x.t, thread,
				 kind < 2 ? STRACE_LOCK
				 : reader ? STRACE_RDLOCK
					  : STRACE_WRLOCK,
				 kind == 2);
		touch(m, thread);
		if (rng_below(&m->rng, 2))
			touch(m, thread);
		strace_add_event(&m->x.t, thread, kind < 2 ? STRACE_UNLOCK : STRACE_RWUNLOCK,
				 kind == 2);
	} else if (kind == 3) {
		e = strace_add_event(&m->x.t, thread,
				     rng_below(&m->rng, 2) ? STRACE_GIVE : STRACE_TAKE, 2);
		m->x.t.events.items[e].other = 1;
	} else if (kind == 4) {
		strace_add_event(&m->x.t, thread,
				 rng_below(&m->rng, 3) ? STRACE_SIGNAL : STRACE_BROADCAST, 3);
	} else {
		strace_add_event(&m->x.t, thread, STRACE_LOCK, 0);
		e = strace_add_event(&m->x.t, thread, STRACE_WAIT, 3);
		m->x.t.events.items[e].other = 0;
		if (rng_below(&m->rng, 3) == 0)
			expires = strace_add_event(&m->x.t, thread, STRACE_EXPIRE, 3);
		e = strace_add_event(&m->x.t, thread, STRACE_WAKE, 3);
		m->x.t.events.items[e].other = 0;
		if (expires != STRACE_NONE)
			m->x.t.events.items[e].flags |= STRACE_FAILED;
		strace_add_event(&m->x.t, thread, STRACE_UNLOCK, 0);
	}
}

/* The thread ends in a wait: for ever (stuck), or nobody knows. */
static void sleep_for_ever(struct maker *m, uint32_t thread, bool stuck)
{
	uint32_t e;

	strace_add_event(&m->x.t, thread, STRACE_LOCK, 0);
	e = strace_add_event(&m->x.t, thread, STRACE_WAIT, 3);
	m->x.t.events.items[e].other = 0;
	if (stuck)
		vec_push(&m->x.t.stuck, ((struct strace_stuck){thread, STRACE_WAKE, 3}));
}

static void condition(struct maker *m, enum strace_why why)
{
	uint32_t a = read_expr(m, (uint32_t)rng_below(&m->rng, m->reads));
	uint32_t b = read_expr(m, (uint32_t)rng_below(&m->rng, m->reads));
	static const enum text_op ops[] = {TEXT_EQ, TEXT_NE, TEXT_LT};
	enum text_op op = ops[rng_below(&m->rng, 3)];

	if (rng_below(&m->rng, 2))
		b = number(m, rng_below(&m->rng, 4));
	else if (rng_below(&m->rng, 2))
		a = text_expr(&m->x, TEXT_ADD, a,
			      read_expr(m, (uint32_t)rng_below(&m->rng, m->reads)), 0);
	strace_add_condition(&m->x.t, text_expr(&m->x, op, a, b, 0), why);
}

static void make(struct maker *m, uint64_t seed)
{
	uint32_t threads;

	memset(m, 0, sizeof(*m));
	rng_seed(&m->rng, seed);
	text_init(&m->x);
	for (int i = 0; i < CELLS; i++)
		strace_add_cell(&m->x.t, rng_below(&m->rng, 2));
	threads = 2 + (uint32_t)rng_below(&m->rng, 2);
	for (uint32_t t = 0; t < threads; t++) {
		uint64_t n = threads == 2 ? 2 + rng_below(&m->rng, 3) : 1 + rng_below(&m->rng, 2);

		m->mine_count = 0;
		for (uint64_t i = 0; i < n; i++) {
			if (rng_below(&m->rng, 5) == 0)
				block(m, t);
			else
				touch(m, t);
		}
	}
	if (rng_below(&m->rng, 4) == 0)
		sleep_for_ever(m, (uint32_t)rng_below(&m->rng, threads), rng_below(&m->rng, 3) > 0);
	for (uint64_t i = m->reads ? 1 + rng_below(&m->rng, 3) : 0; i > 0; i--)
		condition(m, i == 1 ? STRACE_BUG : STRACE_PATH);
	text_seal(&m->x);
}

static uint64_t traces(uint64_t usual)
{
	const char *want = getenv("REPRO_TRACES");

	return want ? strtoull(want, NULL, 10) : usual;
}

static void check_solution(const struct maker *m, enum wire_model model,
			   const struct strace_solution *s)
{
	struct strace_sim sim;

	strace_sim_init(&sim, &m->x.t, model != MODEL_SC);
	strace_sim_run(&sim, s->order.items);
	assert_true(strace_sim_good(&sim));
	strace_sim_fini(&sim);
}

static struct solve_backend *z3_backend(const struct solve_formula *f)
{
	return solve_backend_z3(f);
}

static void compare(const struct maker *m, uint64_t seed, uint64_t *answers)
{
	for (int model = MODEL_SC; model <= MODEL_PSO; model++) {
		struct enum_result r = enum_runs(&m->x, (enum wire_model)model, NULL, NULL);

		for (int way = 0; way < 3 && !r.cut; way++) {
			struct strace_solve_opts o = {.model = (enum wire_model)model,
						      .by_core = way == 1};
			struct strace_solution s;

			/* Z3 takes milliseconds to ask: now and then. */
			if (way == 2 && (!solve_backend_has_z3() || seed % 16))
				continue;
			o.backend = way == 2 ? z3_backend : NULL;
			strace_solve(&m->x.t, &o, &s);
			if (s.answer != (r.good ? SOLVE_SAT : SOLVE_UNSAT))
				fail_msg("trace %llu, model %d, way %d: %d, brute force %d",
					 (unsigned long long)seed, model, way, (int)s.answer,
					 r.good > 0);
			if (s.answer == SOLVE_SAT)
				check_solution(m, (enum wire_model)model, &s);
			answers[s.answer]++;
			strace_solution_fini(&s);
		}
		free(r.values);
	}
}

static void answers_are_those_of_brute_force(void **state)
{
	uint64_t answers[3] = {0}, n = traces(300);

	(void)state;
	for (uint64_t seed = 1; seed <= n; seed++) {
		struct maker m;

		make(&m, seed);
		compare(&m, seed, answers);
		text_fini(&m.x);
	}
	/* Both answers are common, or nothing was tested. */
	assert_true(answers[SOLVE_SAT] > n / 2 && answers[SOLVE_UNSAT] > n / 2);
	assert_int_equal(answers[SOLVE_UNKNOWN], 0);
}

/* Conditions on single reads, each right behind its read; the run ends with thread 0. */
static void end_with_first(struct maker *m)
{
	struct strace *t = &m->x.t;

	vec_clear(&t->conditions);
	vec_clear(&t->stuck);
	for (uint32_t r = 0; r < m->reads; r++) {
		uint32_t event = t->parts.items[t->read_part.items[r]].event;
		const struct strace_list *p = &t->program.items[t->events.items[event].thread];
		struct strace_condition *c;

		if (rng_below(&m->rng, 3) == 0)
			continue;
		strace_add_condition(t,
				     text_expr(&m->x, rng_below(&m->rng, 2) ? TEXT_EQ : TEXT_NE,
					       read_expr(m, r), number(m, rng_below(&m->rng, 3)),
					       0),
				     STRACE_PATH);
		c = &t->conditions.items[t->conditions.count - 1];
		c->thread = t->events.items[event].thread;
		for (size_t i = 0; i + 1 < p->count; i++)
			if (p->items[i] == event)
				c->next = p->items[i + 1];
	}
	t->until = t->program.items[0].items[t->program.items[0].count - 1];
}

static void what_comes_after_the_end_does_not_count(void **state)
{
	uint64_t answers[3] = {0}, n = traces(1500), freed = 0;

	(void)state;
	for (uint64_t seed = 1; seed <= n; seed++) {
		struct strace_solve_opts o = {.model = MODEL_SC, .by_core = seed % 2};
		struct strace_solution s;
		struct enum_result r;
		struct maker m;

		make(&m, seed);
		end_with_first(&m);
		r = enum_runs(&m.x, MODEL_SC, NULL, NULL);
		strace_solve(&m.x.t, &o, &s);
		if (!r.cut && s.answer != (r.good ? SOLVE_SAT : SOLVE_UNSAT))
			fail_msg("trace %llu: %d, brute force %d", (unsigned long long)seed,
				 (int)s.answer, r.good > 0);
		if (s.answer == SOLVE_SAT)
			check_solution(&m, MODEL_SC, &s);
		answers[s.answer]++;
		strace_solution_fini(&s);
		m.x.t.until = STRACE_NONE;
		strace_solve(&m.x.t, &o, &s);
		freed += r.good && s.answer == SOLVE_UNSAT;
		strace_solution_fini(&s);
		free(r.values);
		text_fini(&m.x);
	}
	assert_true(answers[SOLVE_SAT] > n / 5 && answers[SOLVE_UNSAT] > n / 5);
	/* The rule matters: whole traces have no order where the beginning of them has one. */
	assert_true(freed > n / 20);
}

/*
 * A run of the machine: one core per thread, or one core for two threads with segments.  Its own
 * order and values fit all facts, so there is an answer, and it returns these values.
 */
static void place(struct maker *m, const struct strace_list *order, bool together)
{
	uint32_t at[4] = {0}, segment[4] = {0};
	uint32_t last[4] = {STRACE_NONE, STRACE_NONE, STRACE_NONE, STRACE_NONE};

	for (size_t i = 0; i < order->count; i++) {
		struct strace_event *e = &m->x.t.events.items[order->items[i]];
		uint32_t core = together ? 0 : e->thread;

		if (last[core] != STRACE_NONE && last[core] != e->thread)
			segment[core]++;
		last[core] = e->thread;
		e->core = (int32_t)core;
		e->core_at = at[core]++;
		e->segment = together ? segment[core] : STRACE_NONE;
	}
	m->x.t.has_cores = true;
	m->x.t.has_segments = together;
}

static void cores_keep_the_run(void **state)
{
	uint64_t tried = 0;

	(void)state;
	for (uint64_t seed = 1; seed <= traces(300); seed++) {
		enum wire_model model = (enum wire_model)(seed % 3);
		struct strace_list order = {NULL, 0, 0};
		uint64_t reads[64];
		struct maker m;

		make(&m, seed);
		/* Segments drain the buffers, which the machine here does only under SC. */
		if (enum_draw(&m.x, model, seed, reads, &order)) {
			vec_clear(&m.x.t.conditions);
			vec_clear(&m.x.t.stuck);
			for (uint32_t r = 0; r < m.reads; r++)
				strace_add_condition(&m.x.t,
						     text_expr(&m.x, TEXT_EQ, read_expr(&m, r),
							       number(&m, reads[r]), 0),
						     STRACE_PATH);
			place(&m, &order, model == MODEL_SC && seed % 2);
			for (int way = 0; way < 2; way++) {
				struct strace_solve_opts o = {.model = model, .by_core = way};
				struct strace_solution s;

				strace_solve(&m.x.t, &o, &s);
				assert_int_equal(s.answer, SOLVE_SAT);
				check_solution(&m, model, &s);
				strace_solution_fini(&s);
			}
			tried++;
		}
		vec_free(&order);
		text_fini(&m.x);
	}
	assert_true(tried > traces(300) / 2);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(answers_are_those_of_brute_force),
		cmocka_unit_test(what_comes_after_the_end_does_not_count),
		cmocka_unit_test(cores_keep_the_run),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
