/*
 * What is enumerated and the partial orders, against plain definitions on random traces: race pairs
 * and their count, deadlock patterns, happens-before and causal precedence.
 */
#include "unit.h"

#include <stdio.h>

#include "predict/order/cp.h"
#include "predict/find/deadlock.h"
#include "predict/find/race.h"
#include "support_random.h"

#define MAX 64
#define TRACES 1500

struct orders {
	const struct predict_trace *t;
	uint32_t n;
	bool hb[MAX][MAX], cp[MAX][MAX]; /* strict */
};

static const struct predict_event *ev(const struct orders *o, uint32_t e)
{
	return &o->t->events.items[e];
}

static void close_under(bool to[MAX][MAX], bool left[MAX][MAX], bool right[MAX][MAX], uint32_t n)
{
	for (uint32_t k = 0; k < n; k++) {
		for (uint32_t i = 0; i < n; i++) {
			for (uint32_t j = 0; j < n && left[i][k]; j++)
				to[i][j] |= right[k][j];
		}
	}
}

/* Edges between threads that are no lock's: fork, join, signal. */
static bool hard_edge(const struct orders *o, uint32_t a, uint32_t b)
{
	const struct predict_trace *t = o->t;

	if (ev(o, a)->op == OP_FORK && t->fork_of[ev(o, a)->object] == a &&
	    ev(o, b)->thread == ev(o, a)->object && t->pos[b] == 0)
		return true;
	if (ev(o, b)->op == OP_JOIN && ev(o, a)->thread == ev(o, b)->object)
		return true;
	for (size_t i = 0; i < t->pairs.count; i++) {
		if (t->pairs.items[i].sig == a && t->pairs.items[i].wait == b &&
		    ev(o, a)->thread != ev(o, b)->thread)
			return true;
	}
	return false;
}

static bool exclude(const struct orders *o, uint32_t a, uint32_t b)
{
	return ev(o, a)->object == ev(o, b)->object && ev(o, a)->thread != ev(o, b)->thread &&
	       !(ev(o, a)->flags & ev(o, b)->flags & PREDICT_SHARED);
}

static void make_hb(struct orders *o)
{
	for (uint32_t b = 0; b < o->n; b++) {
		for (uint32_t a = 0; a < b; a++) {
			bool lock = ev(o, a)->op == OP_REL && ev(o, b)->op == OP_ACQ &&
				    exclude(o, a, b);

			o->hb[a][b] =
				ev(o, a)->thread == ev(o, b)->thread || lock || hard_edge(o, a, b);
		}
	}
	close_under(o->hb, o->hb, o->hb, o->n);
}

static bool inside(const struct orders *o, uint32_t e, uint32_t acq)
{
	uint32_t rel = o->t->match[acq];

	return ev(o, e)->thread == ev(o, acq)->thread && e >= acq &&
	       (rel == PREDICT_NONE || e <= rel);
}

static bool conflicting(const struct orders *o, uint32_t a, uint32_t b)
{
	return predict_op_accesses(ev(o, a)->op) && predict_op_accesses(ev(o, b)->op) &&
	       ev(o, a)->object == ev(o, b)->object &&
	       (predict_op_writes(ev(o, a)->op) || predict_op_writes(ev(o, b)->op));
}

/* Rules (a) and (b): some event of the first section is tied to one of the second. */
static bool sections_tied(const struct orders *o, uint32_t acq1, uint32_t acq2)
{
	for (uint32_t a = 0; a < o->n; a++) {
		for (uint32_t b = 0; b < o->n && inside(o, a, acq1); b++) {
			if (inside(o, b, acq2) && (conflicting(o, a, b) || o->cp[a][b]))
				return true;
		}
	}
	return false;
}

static bool cp_step(struct orders *o)
{
	bool changed = false;

	for (uint32_t a = 0; a < o->n; a++) {
		uint32_t rel = ev(o, a)->op == OP_ACQ ? o->t->match[a] : PREDICT_NONE;

		for (uint32_t b = 0; b < o->n && rel != PREDICT_NONE; b++) {
			if (b > rel && ev(o, b)->op == OP_ACQ && exclude(o, a, b) &&
			    !o->cp[rel][b] && sections_tied(o, a, b)) {
				o->cp[rel][b] = true;
				changed = true;
			}
		}
	}
	close_under(o->cp, o->hb, o->cp, o->n);
	close_under(o->cp, o->cp, o->hb, o->n);
	return changed;
}

static void make_cp(struct orders *o)
{
	for (uint32_t b = 0; b < o->n; b++) {
		for (uint32_t a = 0; a < b; a++)
			o->cp[a][b] = hard_edge(o, a, b);
	}
	close_under(o->cp, o->hb, o->cp, o->n);
	close_under(o->cp, o->cp, o->hb, o->n);
	while (cp_step(o))
		;
}

/* The definitions here are of events, so there are no steps of several. */
static struct predict_trace *draw(struct rng *r)
{
	struct random_shape shape = random_shape(r);

	shape.glue = false;
	return random_trace(r, &shape);
}

static void orders_agree_with_their_definitions(void **state)
{
	struct rng r;
	uint64_t ordered = 0;

	(void)state;
	rng_seed(&r, 11);
	for (int i = 0; i < TRACES; i++) {
		struct predict_trace *t = draw(&r);
		struct orders *o = xcalloc(1, sizeof(*o));
		struct predict_core *c = predict_core_new(t, NULL);
		struct predict_rows *hb = predict_rows_new(c, ROWS_HB);
		struct predict_cp *cp = predict_cp_new(c, hb);

		o->t = t;
		o->n = (uint32_t)t->events.count;
		make_hb(o);
		make_cp(o);
		for (uint32_t b = 0; b < c->n; b++) {
			for (uint32_t a = 0; a < c->n; a++) {
				if (c->thread[a] == c->thread[b] || c->ev[a] > c->ev[b])
					continue;
				assert_int_equal(predict_rows_before(hb, a, b),
						 o->hb[c->ev[a]][c->ev[b]]);
				assert_int_equal(predict_cp_before(cp, a, b),
						 o->cp[c->ev[a]][c->ev[b]]);
				ordered += o->cp[c->ev[a]][c->ev[b]];
			}
		}
		predict_cp_free(cp);
		predict_rows_free(hb);
		predict_core_free(c);
		free(o);
		predict_trace_free(t);
	}
	assert_true(ordered > TRACES);
}

static void every_race_candidate_is_listed_and_counted(void **state)
{
	struct rng r;

	(void)state;
	rng_seed(&r, 12);
	for (int i = 0; i < TRACES; i++) {
		struct predict_trace *t = draw(&r);
		struct predict_core *c = predict_core_new(t, NULL);
		struct predict_races list = {.left_out = 0};
		uint64_t want = 0, listed = 0;

		for (uint32_t b = 0; b < t->events.count; b++) {
			for (uint32_t a = 0; a < b; a++)
				want += predict_race_is_candidate(t, a, b);
		}
		for (uint32_t x = 0; x < predict_names_count(&t->locs); x++) {
			predict_race_list(c, NULL, x, 1000000, &list);
			listed += list.count;
		}
		assert_int_equal(listed, want);
		assert_int_equal(predict_race_count(c), want);
		vec_free(&list);
		predict_core_free(c);
		predict_trace_free(t);
	}
}

/* Patterns of two and three requests by trying all of them. */
static uint64_t count_patterns(const struct predict_trace *t)
{
	uint32_t n = (uint32_t)t->events.count, q[3];
	uint64_t found = 0;

	for (q[0] = 0; q[0] < n; q[0]++) {
		for (q[1] = 0; q[1] < n; q[1]++) {
			if (q[0] < q[1] && predict_deadlock_is_pattern(t, q, 2))
				found++;
			for (q[2] = 0; q[2] < n; q[2]++) {
				/* A cycle of three is met once with its smallest request first. */
				if (q[0] < q[1] && q[0] < q[2] &&
				    predict_deadlock_is_pattern(t, q, 3))
					found++;
			}
		}
	}
	return found;
}

static uint64_t count_instances(const struct predict_deadlocks *d)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < d->cycles.count; i += d->cycles.items[i] + 1) {
		uint64_t product = 1;

		for (uint32_t k = 0; k < d->cycles.items[i]; k++)
			product *= d->classes.items[d->cycles.items[i + 1 + k]].requests.count;
		if (d->cycles.items[i] <= 3)
			sum += product;
	}
	return sum;
}

static void every_deadlock_pattern_is_listed_once(void **state)
{
	struct rng r;
	uint64_t all = 0;

	(void)state;
	rng_seed(&r, 13);
	for (int i = 0; i < TRACES; i++) {
		struct random_shape shape = random_shape(&r);
		struct predict_trace *t;
		struct predict_core *c;
		struct predict_deadlocks d = {.cycle_count = 0};

		shape.lock_weight = 90;
		shape.events += 16;
		shape.locks = 3;
		t = random_trace(&r, &shape);
		c = predict_core_new(t, NULL);
		predict_deadlock_list(c, 1000000, 1000000, &d);
		assert_int_equal(count_instances(&d), count_patterns(t));
		all += count_patterns(t);
		predict_deadlock_fini(&d);
		predict_core_free(c);
		predict_trace_free(t);
	}
	assert_true(all > 50);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(orders_agree_with_their_definitions),
		cmocka_unit_test(every_race_candidate_is_listed_and_counted),
		cmocka_unit_test(every_deadlock_pattern_is_listed_once),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
