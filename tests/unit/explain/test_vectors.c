/*
 * The worked examples of differential schedule projection (Machado, dissertation, chapter 4), as
 * executions made by hand: pfscan (figure 4.2) and context switches (figure 4.4).
 */
#include "unit.h"

#include "explain/conflicts.h"
#include "explain/core.h"
#include "explain/difference.h"
#include "explain/order.h"

#define LOCK 0x100
#define FILLED 0x200

struct op {
	uint16_t tid;
	uint32_t tix;
	uint8_t kind;
	uint64_t addr, value;
	uint32_t site;
};

/* An execution of these operations; failed: the thread that fails behind its last one. */
static void make(struct run_result *r, const struct op *ops, size_t n, unsigned threads, int failed)
{
	*r = (struct run_result)RUN_RESULT_INIT;
	r->verdict = failed >= 0 ? RUN_FAILURE : RUN_CLEAN;
	for (uint16_t t = 0; t < threads; t++)
		vec_push(&r->threads,
			 ((struct wire_thread){
				 .tid = t,
				 .parent = 0,
				 .child_index = t ? t - 1u : 0,
				 .state = failed >= 0 ? THREAD_PARKED : THREAD_FINISHED,
				 .waits_for = THREAD_NONE,
			 }));
	for (size_t i = 0; i < n; i++)
		vec_push(&r->events, ((struct wire_event){.addr = ops[i].addr,
							  .value = ops[i].value,
							  .site = ops[i].site,
							  .tix = ops[i].tix,
							  .tid = ops[i].tid,
							  .kind = ops[i].kind,
							  .size = 4}));
	if (failed >= 0) {
		r->wire.failure.kind = FAILURE_ASSERT;
		r->wire.failure.tid = (uint32_t)failed;
		r->wire.failure.site = 99;
	}
}

#define W(t, x, a, v, s)                                                                           \
	{                                                                                          \
		t, x, EVENT_WRITE, a, v, s                                                         \
	}
#define R(t, x, a, v, s)                                                                           \
	{                                                                                          \
		t, x, EVENT_READ, a, v, s                                                          \
	}
#define L(t, x, s)                                                                                 \
	{                                                                                          \
		t, x, EVENT_LOCK, LOCK, 0, s                                                       \
	}
#define U(t, x, s)                                                                                 \
	{                                                                                          \
		t, x, EVENT_UNLOCK, LOCK, 0, s                                                     \
	}

#define PUT                                                                                        \
	W(0, 0, FILLED, 0, 2), L(0, 1, 3), R(0, 2, FILLED, 0, 4), W(0, 3, FILLED, 1, 4), U(0, 4, 6)
#define TEST1 L(1, 0, 9), R(1, 1, FILLED, 1, 10), U(1, 2, 11)
#define TEST2 L(2, 0, 9), R(2, 1, FILLED, 1, 10), U(2, 2, 11)
#define TAKE1                                                                                      \
	L(1, 3, 18), R(1, 4, FILLED, 1, 19), R(1, 5, FILLED, 1, 20), W(1, 6, FILLED, 0, 20),       \
		U(1, 7, 22)

static const struct op pfscan_fails[] = {PUT,	TEST1,	     TEST2,
					 TAKE1, L(2, 3, 18), R(2, 4, FILLED, 0, 19)};
static const struct op pfscan_passes[] = {
	PUT, TEST1, TEST2, L(2, 3, 18), R(2, 4, FILLED, 1, 19), U(2, 5, 20), TAKE1};

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

static void failing(struct explain_failing *f, const struct op *ops, size_t n, unsigned threads,
		    int thread)
{
	struct run_result r;

	make(&r, ops, n, threads, thread);
	explain_failing_init(f, &r);
}

static uint32_t reads_with_source(const struct explain_exec *x)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < x->ops.count; i++)
		n += explain_reads(explain_event(x, i)) && x->ops.items[i].source != EXPLAIN_NONE;
	return n;
}

/* W1.20 -> R2.19 becomes W0.4 -> R2.19, of six data flows; nothing else of memory changes. */
static void pfscan_has_one_variation(void **state)
{
	struct explain_failing f;
	struct explain_exec a;
	struct explain_difference d;
	struct run_result r;
	const struct explain_variation *v = NULL;

	failing(&f, pfscan_fails, COUNT(pfscan_fails), 3, 2);
	make(&r, pfscan_passes, COUNT(pfscan_passes), 3, -1);
	explain_exec_init(&a, &r, &f.exec);
	explain_difference(&f, &a, &d);
	assert_int_equal(reads_with_source(&f.exec), 6);
	assert_true(d.same_path);
	assert_true(d.passes && d.clean);
	assert_int_equal(d.reads, 1);
	for (size_t i = 0; i < d.variations.count; i++)
		if (d.variations.items[i].memory)
			v = &d.variations.items[i];
	assert_non_null(v);
	assert_int_equal(explain_event(&f.exec, v->failing)->site, 19);
	assert_int_equal(f.exec.ops.items[v->failing].thread, 2);
	assert_int_equal(explain_event(&f.exec, f.exec.ops.items[v->failing].source)->site, 20);
	assert_int_equal(explain_event(&a, a.ops.items[v->other].source)->site, 4);
	explain_difference_fini(&d);
	explain_exec_fini(&a);
	explain_failing_fini(&f);
}

/* The pair (U1.22, L2.18) with whole critical sections gives exactly the published alternate. */
static void pfscan_reversed_with_sections(void **state)
{
	static const uint32_t wanted[] = {
		0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 16, 17, EXPLAIN_NONE, 11, 12, 13, 14, 15};
	struct explain_failing f;
	struct explain_order order = VEC_INIT;
	struct explain_move m = {15, 16, 2}, closed;

	failing(&f, pfscan_fails, COUNT(pfscan_fails), 3, 2);
	closed = explain_move_close(&f.exec, &m);
	assert_int_equal(closed.first, 11);	     /* L1.18 */
	assert_int_equal(closed.last, EXPLAIN_NONE); /* its section is open at the failure */
	explain_order_move(&f.exec, &closed, &order);
	assert_int_equal(order.count, COUNT(wanted));
	for (size_t i = 0; i < COUNT(wanted); i++)
		assert_int_equal(order.items[i].op, wanted[i]);
	vec_free(&order);
	/* Strictly, e_k and what its thread did before it come before e_j, and nothing else. */
	explain_order_move(&f.exec, &m, &order);
	assert_int_equal(order.items[15].op, 16);
	assert_int_equal(order.items[16].op, 15);
	vec_free(&order);
	explain_failing_fini(&f);
}

/* Of the lock pairs, the two sections of line 18 are neighbours and come first. */
static void pfscan_conflicts(void **state)
{
	struct explain_failing f;
	struct explain_conflicts all = VEC_INIT;
	bool left = true, guilty = false;

	failing(&f, pfscan_fails, COUNT(pfscan_fails), 3, 2);
	explain_conflicts_find(&f.exec, 1000, &all, &left);
	assert_false(left);
	for (size_t i = 0; i < all.count; i++) {
		guilty = guilty || (all.items[i].first == 14 && all.items[i].second == 17);
		assert_true(f.exec.ops.items[all.items[i].first].thread !=
			    f.exec.ops.items[all.items[i].second].thread);
		if (i)
			assert_true(all.items[i].second - all.items[i].first >=
				    all.items[i - 1].second - all.items[i - 1].first);
	}
	assert_true(guilty); /* W1.20, R2.19 */
	explain_conflicts_find(&f.exec, 1, &all, &left);
	assert_true(left);
	vec_free(&all);
	explain_failing_fini(&f);
}

#define X 0x300
#define Y 0x310
#define Z 0x320

/* x=1 | x=0 a=y | y=1 | b=z | z=1 | c=z | assert: three variations; with fewer switches one. */
static void switches_add_variations(void **state)
{
	static const struct op many[] = {W(1, 0, X, 1, 1), W(2, 0, X, 0, 5), R(2, 1, Y, 0, 6),
					 W(1, 1, Y, 1, 2), R(2, 2, Z, 0, 7), W(1, 2, Z, 1, 3),
					 R(2, 3, Z, 1, 8), R(1, 3, X, 0, 4)};
	static const struct op few[] = {W(1, 0, X, 1, 1), W(1, 1, Y, 1, 2), W(1, 2, Z, 1, 3),
					W(2, 0, X, 0, 5), R(2, 1, Y, 1, 6), R(2, 2, Z, 1, 7),
					R(2, 3, Z, 1, 8), R(1, 3, X, 0, 4)};
	static const struct op passes[] = {W(1, 0, X, 1, 1), W(1, 1, Y, 1, 2), W(1, 2, Z, 1, 3),
					   R(1, 3, X, 1, 4), W(2, 0, X, 0, 5), R(2, 1, Y, 1, 6),
					   R(2, 2, Z, 1, 7), R(2, 3, Z, 1, 8)};
	const struct op *fails[] = {many, few};
	const uint32_t wanted[] = {3, 1};

	for (int i = 0; i < 2; i++) {
		struct explain_failing f;
		struct explain_exec a;
		struct explain_difference d;
		struct run_result r;

		failing(&f, fails[i], COUNT(many), 3, 1);
		make(&r, passes, COUNT(passes), 3, -1);
		explain_exec_init(&a, &r, &f.exec);
		explain_difference(&f, &a, &d);
		assert_true(d.same_path && d.passes);
		assert_int_equal(d.reads, wanted[i]);
		explain_difference_fini(&d);
		explain_exec_fini(&a);
		explain_failing_fini(&f);
	}
}

/* A thread that does something else at a place is on another path, and that is seen. */
static void other_paths_are_told(void **state)
{
	static const struct op other[] = {PUT,	       TEST2,
					  L(2, 3, 18), R(2, 4, FILLED, 1, 19),
					  L(1, 0, 9),  R(1, 1, FILLED, 1, 10),
					  U(1, 2, 15)};
	struct explain_failing f;
	struct explain_exec a;
	struct explain_difference d;
	struct run_result r;

	failing(&f, pfscan_fails, COUNT(pfscan_fails), 3, 2);
	make(&r, other, COUNT(other), 3, -1);
	explain_exec_init(&a, &r, &f.exec);
	explain_difference(&f, &a, &d);
	assert_false(d.same_path);
	assert_int_equal(d.partings.count, 1);
	assert_int_equal(d.partings.items[0].thread, 1);
	explain_difference_fini(&d);
	explain_exec_fini(&a);
	explain_failing_fini(&f);
}

#define TAKE2 L(2, 3, 18), R(2, 4, FILLED, 1, 19), U(2, 5, 20)

static void see(struct explain_search *s, const struct op *ops, size_t n)
{
	struct explain_seen seen = {.passed = true, .same_path = true};
	struct run_result r;

	make(&r, ops, n, 3, -1);
	seen.x = xmalloc(sizeof(*seen.x));
	explain_exec_init(seen.x, &r, &s->failing->exec);
	explain_causal_init(&seen.causal, seen.x);
	vec_push(&s->seen, seen);
}

static void forget(struct explain_search *s)
{
	for (size_t i = 0; i < s->seen.count; i++) {
		explain_causal_fini(&s->seen.items[i].causal);
		explain_exec_fini(s->seen.items[i].x);
		free(s->seen.items[i].x);
	}
	vec_free(&s->seen);
}

/*
 * Of four stretches after another, and of 23 pairs that conflict, one is left each: U1.22 < L2.18
 * and W1.20 < R2.19.  Passing are the orders of sections in which T2 takes before T1.
 */
static void pfscan_cores(void **state)
{
	static const struct op nearest[] = {PUT, TEST1, TEST2, TAKE2, TAKE1};
	static const struct op second[] = {PUT, TEST2, TEST1, TAKE2, TAKE1};
	static const struct op last[] = {PUT, TEST2, TAKE2, TEST1, TAKE1};
	struct explain_failing f;
	struct explain_search s = {.failing = &f};
	struct explain_conflicts chain = VEC_INIT, conflicts = VEC_INIT;

	failing(&f, pfscan_fails, COUNT(pfscan_fails), 3, 2);
	explain_core_chain(&f.exec, &chain);
	explain_core_conflicts(&f.exec, &conflicts);
	assert_int_equal(chain.count, 4);
	assert_int_equal(conflicts.count, 23);
	see(&s, nearest, COUNT(nearest));
	see(&s, second, COUNT(second));
	see(&s, last, COUNT(last));
	explain_core_find(&s, &chain);
	explain_core_find(&s, &conflicts);
	assert_int_equal(chain.count, 1);
	assert_int_equal(chain.items[0].first, 15);  /* U1.22 */
	assert_int_equal(chain.items[0].second, 16); /* L2.18 */
	assert_int_equal(conflicts.count, 1);
	assert_int_equal(conflicts.items[0].first, 14);	 /* W1.20 */
	assert_int_equal(conflicts.items[0].second, 17); /* R2.19 */
	vec_free(&chain);
	vec_free(&conflicts);
	forget(&s);
	explain_failing_fini(&f);
}

/* Where one passing execution keeps every ordering but one and another one every one but another,
 * both are needed; where one keeps them all, there is no core. */
static void cores_need_more_than_one(void **state)
{
	static const struct op fails[] = {W(1, 0, X, 1, 1), R(2, 0, X, 1, 5), R(2, 1, Y, 0, 6),
					  W(1, 1, Y, 1, 2)};
	static const struct op early[] = {R(2, 0, X, 0, 5), W(1, 0, X, 1, 1), R(2, 1, Y, 0, 6),
					  W(1, 1, Y, 1, 2)};
	static const struct op late[] = {W(1, 0, X, 1, 1), R(2, 0, X, 1, 5), W(1, 1, Y, 1, 2),
					 R(2, 1, Y, 1, 6)};
	struct explain_failing f;
	struct explain_search s = {.failing = &f};
	struct explain_conflicts orders = VEC_INIT;

	failing(&f, fails, COUNT(fails), 3, 2);
	see(&s, early, COUNT(early));
	see(&s, late, COUNT(late));
	explain_core_conflicts(&f.exec, &orders);
	assert_int_equal(orders.count, 2);
	explain_core_find(&s, &orders);
	assert_int_equal(orders.count, 2);
	see(&s, fails, COUNT(fails));
	explain_core_find(&s, &orders);
	assert_int_equal(orders.count, 0);
	vec_free(&orders);
	forget(&s);
	explain_failing_fini(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(pfscan_has_one_variation),
		cmocka_unit_test(pfscan_reversed_with_sections),
		cmocka_unit_test(pfscan_conflicts),
		cmocka_unit_test(switches_add_variations),
		cmocka_unit_test(other_paths_are_told),
		cmocka_unit_test(pfscan_cores),
		cmocka_unit_test(cores_need_more_than_one),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
