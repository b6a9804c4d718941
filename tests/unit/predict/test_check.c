/* The judge must reject every order that breaks one condition. */
#include "unit.h"

#include "predict/order/check.h"
#include "predict/read/read.h"

static struct predict_trace *read_trace(const char *text)
{
	struct predict_trace *t = NULL;
	struct err e = ERR_INIT;

	assert_ok(predict_read_text(text, strlen(text), FORMAT_NATIVE, true, &t, &e), e);
	assert_ok(predict_check_trace(t, &e), e);
	return t;
}

/* order: 1-based event numbers, ended by 0. */
static int judge(const struct predict_trace *t, const struct predict_question *q,
		 enum predict_model model, const uint32_t *order)
{
	uint32_t events[32];
	struct err e = ERR_INIT;
	size_t n = 0;

	for (; order[n] != 0; n++)
		events[n] = order[n] - 1;
	return predict_check_witness(t, q, model, events, n, &e);
}

#define ORDER(...)                                                                                 \
	(const uint32_t[])                                                                         \
	{                                                                                          \
		__VA_ARGS__, 0                                                                     \
	}

static void orders_that_break_a_condition_are_rejected(void **state)
{
	static const struct {
		const char *text;
		uint32_t good[8], bad[8];
	} cases[] = {
		{"T1 w(x) w(y)\n", {1, 2}, {2, 1}},			   /* program order */
		{"T1 fork(T2)\nT2 w(x)\n", {1, 2}, {2, 1}},		   /* fork */
		{"T1 w(a)\nT2 w(x)\nT1 join(T2)\n", {2, 1, 3}, {1, 3, 2}}, /* join */
		{"T1 sig(c)\nT2 wait(c)\n", {1, 2}, {2, 1}},		   /* signal */
		{"T1 acq(l) rel(l)\nT2 acq(l) rel(l)\n", {3, 4, 1, 2}, {1, 3, 2, 4}}, /* lock */
		{"T1 w(x)\nT2 w(x)\nT1 r(x)\n", {1, 2, 3}, {2, 1, 3}},		      /* writer */
		{"T1 r(x)\nT2 w(x)\n", {1, 2}, {2, 1}}, /* initial value */
		{"T1 racq(l)\nT2 racq(l)\nT1 rel(l)\nT2 rel(l) acq(l)\n",
		 {2, 1, 4, 3, 5},
		 {1, 2, 4, 5, 3}}, /* read-write lock */
		{"T1 arrive(b)\nT2 arrive(b)\nT1 leave(b)\nT2 leave(b)\n",
		 {2, 1, 4, 3},
		 {1, 3, 2, 4}},					    /* barrier */
		{"T1 w(x) +w(y)\nT2 w(z)\n", {3, 1, 2}, {1, 3, 2}}, /* a step as a whole */
		{"T1 w(x) +w(y)\nT2 w(z)\n", {3}, {3, 1}},	    /* and to its end */
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct predict_trace *t = read_trace(cases[i].text);
		struct predict_question q = PREDICT_QUESTION_INIT;

		q.kind = KIND_ORDER;
		assert_int_equal(judge(t, &q, MODEL_CDSR, cases[i].good), 0);
		assert_int_equal(judge(t, &q, MODEL_CDSR, cases[i].bad), ERR_MISMATCH);
		predict_trace_free(t);
	}
}

static void csr_lets_reads_change_and_branch_until_a_branch(void **state)
{
	struct predict_trace *t = read_trace("T1 w(x)\nT2 w(x)\nT1 r(x) br\n");
	struct predict_question q = PREDICT_QUESTION_INIT;

	(void)state;
	q.kind = KIND_ORDER;
	assert_int_equal(judge(t, &q, MODEL_CSR, ORDER(2, 1, 3, 4)), 0);
	assert_int_equal(judge(t, &q, MODEL_BRANCH, ORDER(2, 1, 3)), 0);
	assert_int_equal(judge(t, &q, MODEL_BRANCH, ORDER(2, 1, 3, 4)), ERR_MISMATCH);
	predict_trace_free(t);
}

static void the_asked_state_must_be_reached(void **state)
{
	struct predict_trace *t = read_trace("T1 w(a) w(x)\nT2 w(x)\n");
	struct predict_question q = PREDICT_QUESTION_INIT;

	(void)state;
	predict_question_race(&q, 1, 2);
	assert_int_equal(judge(t, &q, MODEL_CDSR, ORDER(1)), 0);
	assert_int_equal(judge(t, &q, MODEL_CDSR, ORDER(1, 2)), ERR_MISMATCH);
	predict_question_race(&q, 0, 2);
	assert_int_equal(judge(t, &q, MODEL_CDSR, ORDER(1)), ERR_MISMATCH);
	predict_question_fini(&q);
	predict_trace_free(t);
}

static void a_deadlock_needs_its_locks_held(void **state)
{
	struct predict_trace *t = read_trace("T1 acq(a) acq(b) rel(b) rel(a)\n"
					     "T2 acq(b) acq(a) rel(a) rel(b)\n");
	struct predict_question q = PREDICT_QUESTION_INIT;
	const uint32_t cycle[] = {1, 5}, no_cycle[] = {0, 5};

	(void)state;
	predict_question_deadlock(&q, cycle, 2);
	assert_int_equal(judge(t, &q, MODEL_CDSR, ORDER(1, 5)), 0);
	predict_question_deadlock(&q, no_cycle, 2);
	assert_int_equal(judge(t, &q, MODEL_CDSR, ORDER(5)), ERR_MISMATCH);
	predict_question_fini(&q);
	predict_trace_free(t);
}

/* Read locks do not keep readers waiting. */
static void readers_do_not_block_each_other(void **state)
{
	struct predict_trace *t = read_trace("T1 racq(a) racq(b) rel(b) rel(a)\n"
					     "T2 racq(b) racq(a) rel(a) rel(b)\n");
	struct predict_question q = PREDICT_QUESTION_INIT;
	const uint32_t cycle[] = {1, 5};

	(void)state;
	predict_question_deadlock(&q, cycle, 2);
	assert_int_equal(judge(t, &q, MODEL_CDSR, ORDER(1, 5)), ERR_MISMATCH);
	predict_question_fini(&q);
	predict_trace_free(t);
}

/* An access is next when what its step does before it could happen now. */
static void what_comes_before_in_the_step_must_be_possible(void **state)
{
	static const struct {
		const char *text;
		uint32_t a, b;
		bool reachable;
		uint32_t good[8], bad[8];
	} cases[] = {
		{"T1 r(f) +w(z)\nT2 w(f) w(z)\n", 1, 3, false, {0}, {3}},
		{"T2 w(y) w(z)\nT1 r(y) +w(z)\n", 1, 3, true, {1}, {0}},
		{"T2 w(z)\nT3 w(z)\nT1 join(T2) +w(z)\n", 1, 3, true, {1}, {0}},
		{"T2 sig(c)\nT3 w(z)\nT1 wait(c) +w(z)\n", 1, 3, true, {1}, {0}},
		{"T2 acq(l) rel(l)\nT1 acq(l) +w(z) rel(l)\nT3 w(z)\n", 3, 5, true, {1, 2}, {1}},
		{"T1 acq(l) +w(z) rel(l)\nT3 acq(l) +w(z) rel(l)\n", 1, 4, false, {0}, {0}},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct predict_trace *t = read_trace(cases[i].text);
		struct predict_question q = PREDICT_QUESTION_INIT;

		predict_question_race(&q, cases[i].a, cases[i].b);
		if (cases[i].reachable)
			assert_int_equal(judge(t, &q, MODEL_CDSR, cases[i].good), 0);
		assert_int_equal(judge(t, &q, MODEL_CDSR, cases[i].bad), ERR_MISMATCH);
		predict_question_fini(&q);
		predict_trace_free(t);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(orders_that_break_a_condition_are_rejected),
		cmocka_unit_test(csr_lets_reads_change_and_branch_until_a_branch),
		cmocka_unit_test(the_asked_state_must_be_reached),
		cmocka_unit_test(a_deadlock_needs_its_locks_held),
		cmocka_unit_test(readers_do_not_block_each_other),
		cmocka_unit_test(what_comes_before_in_the_step_must_be_possible),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
