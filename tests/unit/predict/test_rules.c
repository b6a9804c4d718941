/*
 * The closure rules one at a time: an added edge must force exactly the published consequence, and
 * nothing may be decided before it.
 */
#include "unit.h"

#include "predict/order/decide.h"
#include "predict/read/read.h"

struct bench {
	struct predict_trace *t;
	struct predict_engine *e;
	struct predict_question q;
};

static void bench_open(struct bench *b, const char *text)
{
	struct err e = ERR_INIT;
	uint8_t *keep;

	memset(b, 0, sizeof(*b));
	assert_ok(predict_read_text(text, strlen(text), FORMAT_NATIVE, true, &b->t, &e), e);
	keep = malloc(b->t->events.count);
	memset(keep, 1, b->t->events.count);
	b->e = predict_engine_new(b->t, keep);
	free(keep);
	predict_question_whole(&b->q, b->t, NULL, 0);
}

static void bench_close(struct bench *b)
{
	predict_question_fini(&b->q);
	predict_engine_free(b->e);
	predict_trace_free(b->t);
}

static uint32_t event(const struct bench *b, const char *label)
{
	uint32_t e = predict_trace_find(b->t, label, strlen(label));

	assert_int_not_equal(e, PREDICT_NONE);
	return b->e->core->of[e];
}

static bool count_open(void *context, const struct predict_poly *p)
{
	(void)p;
	++*(int *)context;
	return true;
}

static int open_count(const struct bench *b)
{
	int n = 0;

	predict_graph_open(b->e->graph, count_open, &n);
	return n;
}

/* Adds from -> to and expects it to force before -> after, which was open until then. */
static void expect_forced(struct bench *b, enum predict_model model, bool direct,
			  const char *const edge[4])
{
	struct predict_graph *g = b->e->graph;

	assert_true(predict_graph_begin(g, &b->q, model, direct));
	assert_true(predict_graph_propagate(g));
	assert_false(predict_graph_reaches(g, event(b, edge[2]), event(b, edge[3])));
	assert_true(open_count(b) > 0);
	predict_graph_require(g, event(b, edge[0]), event(b, edge[1]));
	assert_true(predict_graph_propagate(g));
	assert_true(predict_graph_reaches(g, event(b, edge[2]), event(b, edge[3])));
	assert_int_equal(open_count(b), 0);
}

static void rule_1_orders_sections(void **state)
{
	static const char *const edges[][4] = {
		{"s1", "t1", "rel1", "acq2"},
		{"s1", "t2", "rel1", "acq2"},
		{"s2", "t1", "rel1", "acq2"},
	};
	struct bench b;

	(void)state;
	bench_open(&b, "T1 acq(l)@acq1 w(i)@s1 rel(l)@rel1 w(o)@s2\n"
		       "T2 w(b)@t2 acq(l)@acq2 w(j)@t1 rel(l)@rel2\n");
	for (size_t i = 0; i < 3; i++) {
		expect_forced(&b, MODEL_CSR, false, edges[i]);
		expect_forced(&b, MODEL_CSR, true, edges[i]);
	}
	bench_close(&b);
}

static void rule_2_orders_write_read_pairs(void **state)
{
	static const char *const edges[][4] = {
		{"s1", "t2", "R1", "W2"},
		{"s1", "t1", "R1", "W2"},
		{"s3", "t2", "R1", "W2"},
		{"s3", "t1", "R1", "W2"},
	};
	struct bench b;

	(void)state;
	bench_open(&b, "T1 w(x)@W1 w(a)@s1\nT2 r(x)@R1 w(b)@s3\n"
		       "T3 w(c)@t1 w(x)@W2\nT4 w(d)@t2 r(x)@R2\n");
	for (size_t i = 0; i < 4; i++)
		expect_forced(&b, MODEL_CDSR, false, edges[i]);
	bench_close(&b);
}

static void both_options_impossible_is_a_conflict(void **state)
{
	struct bench b;
	struct predict_graph *g;

	(void)state;
	bench_open(&b, "T1 acq(l) w(i)@s1 w(k)@t' rel(l)\nT2 acq(l) w(m)@s' w(j)@t1 rel(l)\n");
	g = b.e->graph;
	assert_true(predict_graph_begin(g, &b.q, MODEL_CSR, false));
	assert_true(predict_graph_propagate(g));
	predict_graph_require(g, event(&b, "s1"), event(&b, "t1"));
	assert_true(predict_graph_propagate(g));
	predict_graph_require(g, event(&b, "s'"), event(&b, "t'"));
	assert_false(predict_graph_propagate(g));
	bench_close(&b);
}

static void undo_restores_everything(void **state)
{
	struct bench b;
	struct predict_graph *g;
	struct predict_graph_mark m;

	(void)state;
	bench_open(&b, "T1 acq(l)@acq1 w(i)@s1 rel(l)@rel1\nT2 acq(l)@acq2 w(j)@t1 rel(l)@rel2\n");
	g = b.e->graph;
	assert_true(predict_graph_begin(g, &b.q, MODEL_CSR, false));
	assert_true(predict_graph_propagate(g));
	m = predict_graph_mark(g);
	predict_graph_require(g, event(&b, "s1"), event(&b, "t1"));
	assert_true(predict_graph_propagate(g));
	assert_true(predict_graph_reaches(g, event(&b, "rel1"), event(&b, "acq2")));
	predict_graph_undo(g, m);
	assert_false(predict_graph_reaches(g, event(&b, "rel1"), event(&b, "acq2")));
	assert_false(predict_graph_reaches(g, event(&b, "s1"), event(&b, "t1")));
	assert_int_equal(open_count(&b), 1);
	predict_graph_require(g, event(&b, "t1"), event(&b, "s1"));
	assert_true(predict_graph_propagate(g));
	assert_true(predict_graph_reaches(g, event(&b, "rel2"), event(&b, "acq1")));
	bench_close(&b);
}

static void only_what_is_needed_becomes_active(void **state)
{
	struct bench b;

	(void)state;
	bench_open(&b, "T3 acq(l) w(y) w(z)@late rel(l)\nT1 r(y) w(x)@p\nT2 w(x)@q\n");
	predict_question_race(&b.q, predict_trace_find(b.t, "p", 1),
			      predict_trace_find(b.t, "q", 1));
	assert_true(predict_graph_begin(b.e->graph, &b.q, MODEL_CDSR, false));
	assert_true(predict_graph_propagate(b.e->graph));
	assert_int_equal(predict_graph_cut(b.e->graph, 0), 2); /* acq(l) w(y), not the rest */
	assert_int_equal(predict_graph_cut(b.e->graph, 1), 1);
	assert_int_equal(predict_graph_cut(b.e->graph, 2), 0);
	bench_close(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rule_1_orders_sections),
		cmocka_unit_test(rule_2_orders_write_read_pairs),
		cmocka_unit_test(both_options_impossible_is_a_conflict),
		cmocka_unit_test(undo_restores_everything),
		cmocka_unit_test(only_what_is_needed_becomes_active),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
