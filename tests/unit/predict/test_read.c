/* What the words of a trace file mean. */
#include "unit.h"

#include <string.h>

#include "predict/read/read.h"
#include "predict/read/trace.h"

static struct predict_trace *read_text(const char *text)
{
	struct predict_trace *t = NULL;
	struct err e = ERR_INIT;

	assert_ok(predict_read_text(text, strlen(text), FORMAT_NATIVE, true, &t, &e), e);
	return t;
}

static void readers_share_a_lock(void **state)
{
	struct predict_trace *t = read_text("T1 racq(l)\nT2 racq(l) rel(l)\nT1 rel(l) acq(l)\n");

	assert_int_equal(t->events.count, 5);
	assert_int_equal(t->events.items[1].op, OP_ACQ);
	assert_true(t->events.items[0].flags & t->events.items[1].flags & PREDICT_SHARED);
	assert_false(t->events.items[4].flags & PREDICT_SHARED);
	assert_int_equal(t->match[1], 2);
	predict_trace_free(t);
}

static void tokens_are_taken_in_the_order_they_were_given(void **state)
{
	struct predict_trace *t = read_text("T1 post(s) post(s)\nT2 take(s)\nT3 take(s)\n");

	assert_int_equal(t->pairs.count, 2);
	assert_int_equal(t->pairs.items[0].sig, 0);
	assert_int_equal(t->pairs.items[0].wait, 2);
	assert_int_equal(t->pairs.items[1].sig, 1);
	assert_int_equal(t->pairs.items[1].wait, 3);
	predict_trace_free(t);
}

static void a_wait_follows_the_last_signal(void **state)
{
	struct predict_trace *t = read_text("T1 sig(c) sig(c)\nT2 wait(c)\n");

	assert_int_equal(t->pairs.count, 1);
	assert_int_equal(t->pairs.items[0].sig, 1);
	predict_trace_free(t);
}

static void glued_events_are_one_step(void **state)
{
	struct predict_trace *t = read_text("T1 w(x) +w(y) &w(z) r(x)\n");

	assert_int_equal(predict_trace_head(t, 2), 0);
	assert_int_equal(predict_trace_tail(t, 0), 2);
	assert_int_equal(predict_trace_access(t, 2), 1);
	assert_true(predict_trace_alone(t, 3));
	predict_trace_free(t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(readers_share_a_lock),
		cmocka_unit_test(tokens_are_taken_in_the_order_they_were_given),
		cmocka_unit_test(a_wait_follows_the_last_signal),
		cmocka_unit_test(glued_events_are_one_step),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
