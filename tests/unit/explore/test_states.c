/* Executions as states: told apart, found again, given back. */
#include "unit.h"

#include "explore/published/states.h"

/* Two threads: 0 writes 1 to object 3, 1 reads it and writes what it read to object 4. */
static void make_run(struct explore_run *r, bool reader_first)
{
	struct solve_event w = {.op = SOLVE_WRITE, .writes = true, .object = 3, .written = 1};
	struct solve_event read = {.thread = 1, .op = SOLVE_READ, .object = 3};
	struct solve_event out = {
		.thread = 1, .index = 1, .op = SOLVE_WRITE, .writes = true, .object = 4};

	read.value = out.written = !reader_first;
	*r = (struct explore_run){.outcome = EXPLORE_ENDED};
	if (!reader_first)
		vec_push(&r->history, w);
	vec_push(&r->history, read);
	vec_push(&r->history, out);
	if (reader_first)
		vec_push(&r->history, w);
}

static uint32_t add(struct states *s, bool reader_first, bool *fresh)
{
	struct err e = ERR_INIT;
	struct explore_run r;
	uint32_t number;

	make_run(&r, reader_first);
	assert_int_equal(states_add(s, &r, &number, fresh, &e), 0);
	explore_run_fini(&r);
	return number;
}

static void equal_reads_are_one_state(void **state)
{
	struct states s;
	uint32_t a, b;
	bool fresh;

	states_init(&s);
	a = add(&s, false, &fresh);
	assert_true(fresh);
	b = add(&s, true, &fresh);
	assert_true(fresh);
	assert_int_not_equal(a, b);
	assert_int_equal(add(&s, false, &fresh), a);
	assert_false(fresh);
	assert_true(s.bytes > 0);
	states_fini(&s);
}

static void a_state_is_found_by_what_it_shows(void **state)
{
	struct wanted w = {.frozen = VEC_INIT};
	struct states s;
	uint32_t a;
	bool fresh;

	states_init(&s);
	a = add(&s, false, &fresh);
	add(&s, true, &fresh);
	vec_push(&w.frozen, 0);
	vec_push(&w.frozen, past_look(&s.past, past_root(&s.past, 1), 1));
	assert_int_not_equal(w.frozen.items[1], 0);
	assert_int_equal(states_find(&s, &w), a);
	assert_true(states_agree(&s, a, &w));
	w.frozen.items[1] = past_child(&s.past, 0, 1, 9);
	assert_int_equal(states_find(&s, &w), STATE_NONE);
	/* Thread 1 did two things, not three. */
	w.frozen.items[1] = 0;
	vec_push(&w.steps, 0);
	vec_push(&w.steps, 2);
	assert_int_not_equal(states_find(&s, &w), STATE_NONE);
	w.steps.items[1] = 3;
	assert_int_equal(states_find(&s, &w), STATE_NONE);
	vec_free(&w.frozen);
	vec_free(&w.steps);
	states_fini(&s);
}

static void the_history_comes_back(void **state)
{
	struct solve_history h = VEC_INIT;
	struct past_list nodes = VEC_INIT;
	struct explore_run r;
	struct states s;
	bool fresh;

	states_init(&s);
	states_history(&s, add(&s, true, &fresh), &h, &nodes);
	make_run(&r, true);
	assert_int_equal(h.count, r.history.count);
	assert_int_equal(nodes.count, h.count);
	for (size_t i = 0; i < h.count; i++) {
		assert_int_equal(h.items[i].thread, r.history.items[i].thread);
		assert_int_equal(h.items[i].index, r.history.items[i].index);
		assert_int_equal(h.items[i].value, r.history.items[i].value);
		assert_int_equal(h.items[i].written, r.history.items[i].written);
	}
	/* The reader stands behind its read from there on, the writer has read nothing. */
	assert_int_not_equal(nodes.items[0], 0);
	assert_int_equal(nodes.items[1], nodes.items[0]);
	assert_int_equal(nodes.items[2], 0);
	explore_run_fini(&r);
	vec_free(&h);
	vec_free(&nodes);
	states_fini(&s);
}

static void pending_operations_come_last(void **state)
{
	struct solve_event lock = {.thread = 1, .index = 2, .op = SOLVE_LOCK, .object = 9};
	struct solve_history h = VEC_INIT;
	struct past_list nodes = VEC_INIT;
	struct err e = ERR_INIT;
	struct explore_run r;
	struct states s;
	uint32_t number;
	bool fresh;

	states_init(&s);
	make_run(&r, true);
	r.outcome = EXPLORE_STUCK;
	vec_push(&r.pending, lock);
	assert_int_equal(states_add(&s, &r, &number, &fresh, &e), 0);
	states_history(&s, number, &h, &nodes);
	assert_int_equal(h.count, 4);
	assert_int_equal(h.items[3].op, SOLVE_LOCK);
	assert_int_equal(nodes.items[3], nodes.items[0]);
	explore_run_fini(&r);
	vec_free(&h);
	vec_free(&nodes);
	states_fini(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(equal_reads_are_one_state),
		cmocka_unit_test(a_state_is_found_by_what_it_shows),
		cmocka_unit_test(the_history_comes_back),
		cmocka_unit_test(pending_operations_come_last),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
