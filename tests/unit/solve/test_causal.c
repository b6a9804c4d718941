/*
 * What else could have happened in a history: the encoding against every execution of its events, on
 * random histories under SC, TSO and PSO.
 */
#include "unit.h"

#include <stdlib.h>
#include <string.h>

#include "base/rng.h"
#include "solve/causal.h"
#include "wire/ctl.h"

#define THREADS 3
#define LENGTH 4 /* most operations of a thread */
#define EVENTS (THREADS * LENGTH)
#define PLACES 2
#define VALUES 4 /* 0: before the first write */
#define LOCK_OBJECT 100

struct state {
	uint8_t pos[THREADS], pending[THREADS];
	uint8_t buffer[THREADS][LENGTH]; /* indices in program order */
	uint8_t memory[PLACES];
	uint8_t owner; /* thread + 1 */
};

struct program {
	struct solve_event ops[THREADS][LENGTH];
	uint32_t length[THREADS];
	unsigned model;
};

/* ---- what single operations do ---- */

static bool syncs(const struct solve_event *e)
{
	return e->op != SOLVE_READ && e->op != SOLVE_WRITE;
}

static uint8_t load(const struct program *p, const struct state *s, uint32_t t, uint64_t place)
{
	uint8_t value = s->memory[place];

	for (uint32_t i = 0; i < s->pending[t]; i++) {
		const struct solve_event *w = &p->ops[t][s->buffer[t][i]];

		if (w->object == place)
			value = (uint8_t)w->written;
	}
	return value;
}

/* Whether thread t could perform its next operation, whatever it would read. */
static bool possible(const struct program *p, const struct state *s, uint32_t t)
{
	const struct solve_event *e;

	if (s->pos[t] == p->length[t])
		return false;
	e = &p->ops[t][s->pos[t]];
	return !(syncs(e) && s->pending[t]) && !(e->op == SOLVE_LOCK && s->owner);
}

static void perform(const struct program *p, struct state *s, uint32_t t)
{
	const struct solve_event *e = &p->ops[t][s->pos[t]];

	if (e->op == SOLVE_WRITE && p->model != MODEL_SC)
		s->buffer[t][s->pending[t]++] = s->pos[t];
	else if (e->op <= SOLVE_RMW && e->writes)
		s->memory[e->object] = (uint8_t)e->written;
	else if (e->op == SOLVE_LOCK)
		s->owner = (uint8_t)(t + 1);
	else if (e->op == SOLVE_UNLOCK)
		s->owner = 0;
	s->pos[t]++;
}

static bool may_commit(const struct program *p, const struct state *s, uint32_t t, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++) {
		if (p->model == MODEL_TSO ||
		    p->ops[t][s->buffer[t][i]].object == p->ops[t][s->buffer[t][n]].object)
			return false;
	}
	return n < s->pending[t];
}

/* Returns the operation whose store reaches memory. */
static uint32_t commit(const struct program *p, struct state *s, uint32_t t, uint32_t n)
{
	uint32_t at = s->buffer[t][n];

	s->memory[p->ops[t][at].object] = (uint8_t)p->ops[t][at].written;
	memmove(&s->buffer[t][n], &s->buffer[t][n + 1], LENGTH - n - 1u);
	s->buffer[t][LENGTH - 1] = 0;
	s->pending[t]--;
	return at;
}

/* ---- a random history ---- */

/* Plain ones are only reads and writes: what is buffered stays so for longer. */
static struct solve_event random_op(struct rng *r, bool plain, bool holds, bool last)
{
	struct solve_event e = {.object = rng_below(r, PLACES), .written = 1 + rng_below(r, VALUES - 1)};
	uint64_t kind = plain ? 4 + rng_below(r, 4) : rng_below(r, 10);

	if ((holds && kind < 3) || (holds && last)) {
		e.op = SOLVE_UNLOCK;
		e.object = LOCK_OBJECT;
	} else if (!holds && kind < 2 && !last) {
		e.op = SOLVE_LOCK;
		e.object = LOCK_OBJECT;
	} else if (kind == 9) {
		e.op = SOLVE_FENCE;
	} else if (kind == 8) {
		e.op = SOLVE_RMW;
		e.writes = true;
	} else {
		e.op = kind < 6 ? SOLVE_READ : SOLVE_WRITE;
		e.writes = e.op == SOLVE_WRITE;
	}
	return e;
}

static void random_program(struct rng *r, struct program *p)
{
	bool plain = rng_below(r, 2);

	for (uint32_t t = 0; t < THREADS; t++) {
		bool holds = false;

		p->length[t] = 1 + (uint32_t)rng_below(r, LENGTH);
		for (uint32_t i = 0; i < p->length[t]; i++) {
			p->ops[t][i] = random_op(r, plain, holds, i + 1 == p->length[t]);
			p->ops[t][i].thread = t;
			p->ops[t][i].index = i;
			holds = p->ops[t][i].op == SOLVE_LOCK ||
				(holds && p->ops[t][i].op != SOLVE_UNLOCK);
		}
	}
}

/* Runs the program once; what its reads return is kept in it.  Events as they took effect. */
static uint32_t run(struct rng *r, struct program *p, struct solve_event *history)
{
	struct state s = {.owner = 0};
	uint32_t n = 0;

	for (int tries = 0; tries < 400; tries++) {
		uint32_t t = (uint32_t)rng_below(r, THREADS);
		uint32_t store = (uint32_t)rng_below(r, LENGTH);
		struct solve_event *e;

		if (store < s.pending[t] && may_commit(p, &s, t, store) && rng_below(r, 2)) {
			history[n++] = p->ops[t][commit(p, &s, t, store)];
		} else if (possible(p, &s, t)) {
			e = &p->ops[t][s.pos[t]];
			if (solve_event_reads(e))
				e->value = load(p, &s, t, e->object);
			perform(p, &s, t);
			if (e->op != SOLVE_WRITE || p->model == MODEL_SC)
				history[n++] = *e;
		}
	}
	for (uint32_t t = 0; t < THREADS; t++) {
		p->length[t] = s.pos[t];
		while (s.pending[t])
			history[n++] = p->ops[t][commit(p, &s, t, 0)];
	}
	return n;
}

/* ---- all executions in which reads return what they returned ---- */

#define SEEN 65536

struct oracle {
	const struct program *p;
	struct state *seen;
	uint8_t *used;
	bool returns[THREADS][LENGTH][VALUES]; /* the read may come to return the value */
	bool happens[THREADS][LENGTH];
};

static bool remember(struct oracle *o, const struct state *s)
{
	const uint8_t *bytes = (const uint8_t *)s;
	uint32_t at = 5381;

	for (size_t i = 0; i < sizeof(*s); i++)
		at = at * 33 + bytes[i];
	for (at %= SEEN; o->used[at]; at = (at + 1) % SEEN) {
		if (!memcmp(&o->seen[at], s, sizeof(*s)))
			return false;
	}
	o->used[at] = 1;
	o->seen[at] = *s;
	return true;
}

static void visit(struct oracle *o, const struct state *s)
{
	const struct program *p = o->p;

	if (!remember(o, s))
		return;
	for (uint32_t t = 0; t < THREADS; t++) {
		const struct solve_event *e = &p->ops[t][s->pos[t]];
		struct state next = *s;

		for (uint32_t n = 0; n < s->pending[t]; n++, next = *s) {
			if (!may_commit(p, s, t, n))
				continue;
			o->happens[t][commit(p, &next, t, n)] = true;
			visit(o, &next);
		}
		if (!possible(p, s, t))
			continue;
		if (solve_event_reads(e))
			o->returns[t][s->pos[t]][load(p, s, t, e->object)] = true;
		if (solve_event_reads(e) && load(p, s, t, e->object) != e->value)
			continue;
		o->happens[t][s->pos[t]] |= e->op != SOLVE_WRITE || p->model == MODEL_SC;
		perform(p, &next, t);
		visit(o, &next);
	}
}

static uint64_t zero(void *arg, uint64_t object)
{
	return 0;
}

static bool ask(struct solve_causal *c, uint32_t event, uint64_t value)
{
	struct solve_target t = {.event = event, .value = value, .goal = SOLVE_ANY};
	struct solve_seed seed = VEC_INIT;
	enum solve_answer a = solve_causal_ask(c, &t, &seed);

	assert_int_not_equal(a, SOLVE_UNKNOWN);
	vec_free(&seed);
	return a == SOLVE_SAT;
}

static void compare(const struct oracle *o, const struct solve_event *history, uint32_t n)
{
	struct solve_causal_opts opts = {.model = o->p->model, .forwarding = true, .initial = zero};
	struct solve_causal *c = solve_causal_new(history, n, &opts);

	for (uint32_t i = 0; i < n; i++) {
		const struct solve_event *e = &history[i];

		for (uint64_t v = 0; v < VALUES && e->op == SOLVE_READ; v++)
			assert_int_equal(ask(c, i, v), o->returns[e->thread][e->index][v]);
		if (!solve_event_reads(e))
			assert_int_equal(ask(c, i, 0), o->happens[e->thread][e->index]);
	}
	solve_causal_free(c);
}

static void check_model(unsigned model, uint64_t seed, int histories)
{
	struct oracle o = {.seen = calloc(SEEN, sizeof(struct state)), .used = calloc(SEEN, 1)};
	struct rng r;

	rng_seed(&r, seed);
	for (int i = 0; i < histories; i++) {
		struct solve_event history[EVENTS];
		struct program p = {.model = model};
		struct state begin = {.owner = 0};
		uint32_t n;

		random_program(&r, &p);
		n = run(&r, &p, history);
		memset(o.used, 0, SEEN);
		memset(o.returns, 0, sizeof(o.returns));
		memset(o.happens, 0, sizeof(o.happens));
		o.p = &p;
		visit(&o, &begin);
		compare(&o, history, n);
	}
	free(o.seen);
	free(o.used);
}

static void answers_are_those_of_all_executions_under_sc(void **state)
{
	check_model(MODEL_SC, 21, 4000);
}

static void answers_are_those_of_all_executions_under_tso(void **state)
{
	check_model(MODEL_TSO, 22, 3000);
}

static void answers_are_those_of_all_executions_under_pso(void **state)
{
	check_model(MODEL_PSO, 23, 6000);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(answers_are_those_of_all_executions_under_sc),
		cmocka_unit_test(answers_are_those_of_all_executions_under_tso),
		cmocka_unit_test(answers_are_those_of_all_executions_under_pso),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
