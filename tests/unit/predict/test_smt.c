/*
 * The decision procedure against general solvers on the same questions: random traces of 2 to 5
 * threads, every kind of question, CSR and CDSR; every positive answer of a solver is a witness the
 * judge accepts.
 */
#include "unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "predict/order/check.h"
#include "predict/order/smt.h"
#include "support_random.h"

struct tally {
	uint64_t questions, feasible;
};

/* One session is shared by all questions it can take; an exempt read needs one of its own. */
static void compare(struct predict_engine *e, struct predict_smt *shared, enum predict_model model,
		    predict_smt_backend_fn backend, const struct predict_question *q,
		    struct tally *tally)
{
	struct predict_verdict v = PREDICT_VERDICT_INIT;
	struct predict_order witness = {.items = NULL};
	struct predict_smt *s = shared;
	struct err err = ERR_INIT;
	enum solve_answer a;

	if (q->exempt != PREDICT_NONE)
		s = predict_smt_new(e, model, q->exempt, backend);
	assert_ok(predict_decide(e, q, model, &v, &err), err);
	a = predict_smt_ask(s, q, &witness);
	assert_int_not_equal(v.answer, ANSWER_UNKNOWN);
	assert_int_equal(a, v.answer == ANSWER_FEASIBLE ? SOLVE_SAT : SOLVE_UNSAT);
	if (a == SOLVE_SAT)
		assert_ok(predict_check_witness(e->t, q, model, witness.items, witness.count, &err),
			  err);
	tally->questions++;
	tally->feasible += a == SOLVE_SAT;
	vec_free(&witness);
	predict_verdict_fini(&v);
	if (s != shared)
		predict_smt_free(s);
}

static void one_trace(uint64_t seed, predict_smt_backend_fn backend, struct tally *tally)
{
	struct predict_question q = PREDICT_QUESTION_INIT;
	struct random_shape shape;
	struct predict_trace *t;
	struct rng r;
	uint8_t *keep;

	rng_seed(&r, seed);
	shape = random_shape(&r);
	t = random_trace(&r, &shape);
	keep = malloc(t->events.count + 1);
	memset(keep, 1, t->events.count + 1);
	for (int m = MODEL_CSR; m <= MODEL_CDSR; m++) {
		for (int all = 0; all < 2; all++) {
			struct predict_engine *e = predict_engine_new(t, all ? keep : NULL);
			struct predict_smt *s =
				predict_smt_new(e, (enum predict_model)m, PREDICT_NONE, backend);

			for (int i = 0; i < 12; i++) {
				int kind = i % 4;

				/* Order questions name any event. */
				if ((kind != KIND_ORDER || all) &&
				    random_question(&r, t, (enum predict_kind)kind, &q))
					compare(e, s, (enum predict_model)m, backend, &q, tally);
			}
			predict_smt_free(s);
			predict_engine_free(e);
		}
	}
	predict_question_fini(&q);
	predict_trace_free(t);
	free(keep);
}

static void many(predict_smt_backend_fn backend, uint64_t questions)
{
	const char *text = getenv("TEST_LONG");
	struct tally tally = {0};

	if (text != NULL && strcmp(text, "1") == 0)
		questions *= 3;
	for (uint64_t seed = 1; tally.questions < questions; seed++)
		one_trace(seed, backend, &tally);
	printf("%lu questions, %lu feasible, no disagreement\n", (unsigned long)tally.questions,
	       (unsigned long)tally.feasible);
	assert_true(tally.feasible > tally.questions / 20);
}

static void z3_agrees(void **state)
{
	(void)state;
	many(solve_backend_z3, 6000);
}

static void order_solver_agrees(void **state)
{
	(void)state;
	many(solve_backend_order, 40000);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(z3_agrees),
		cmocka_unit_test(order_solver_agrees),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
