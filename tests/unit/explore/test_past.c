/* What threads have read, as trees. */
#include "unit.h"

#include "explore/published/past.h"

static struct solve_event reads(uint32_t index, uint64_t object, uint64_t value)
{
	return (struct solve_event){
		.thread = 1, .index = index, .op = SOLVE_READ, .object = object, .value = value};
}

static struct solve_event writes(uint32_t index, uint64_t object, uint64_t written)
{
	return (struct solve_event){.thread = 1,
				    .index = index,
				    .op = SOLVE_WRITE,
				    .writes = true,
				    .object = object,
				    .written = written};
}

static int follow(struct past *p, const struct solve_event *events, size_t n, uint32_t *node)
{
	const struct solve_event *list[8];
	struct err e = ERR_INIT;

	for (size_t i = 0; i < n; i++)
		list[i] = &events[i];
	return past_follow(p, 1, list, n, node, &e);
}

static void equal_reads_lead_to_one_node(void **state)
{
	struct solve_event a[] = {writes(0, 7, 1), reads(1, 8, 5), writes(2, 7, 2)};
	struct solve_event b[] = {writes(0, 7, 1), reads(1, 8, 6), writes(2, 7, 3)};
	uint32_t x, y, z;
	struct past p;

	past_init(&p);
	assert_int_equal(follow(&p, a, 3, &x), 0);
	assert_int_equal(follow(&p, b, 3, &y), 0);
	assert_int_equal(follow(&p, a, 3, &z), 0);
	assert_int_equal(x, z);
	assert_int_not_equal(x, y);
	assert_int_equal(past_look(&p, past_root(&p, 1), 5), x);
	assert_int_equal(past_look(&p, past_root(&p, 1), 9), 0);
	past_fini(&p);
}

static void covers_is_being_an_ancestor(void **state)
{
	struct past p;
	uint32_t a, b, other;

	past_init(&p);
	a = past_child(&p, 0, 1, 5);
	b = past_child(&p, a, 1, 6);
	other = past_child(&p, a, 1, 7);
	assert_true(past_covers(&p, 0, b));
	assert_true(past_covers(&p, a, b));
	assert_true(past_covers(&p, b, b));
	assert_false(past_covers(&p, b, a));
	assert_false(past_covers(&p, other, b));
	assert_false(past_covers(&p, a, 0));
	past_fini(&p);
}

static void many_children_are_found_again(void **state)
{
	struct past p;
	uint32_t nodes[2000];

	past_init(&p);
	for (uint32_t i = 0; i < 2000; i++)
		nodes[i] = past_child(&p, i ? nodes[i / 2] : 0, 1, i);
	for (uint32_t i = 0; i < 2000; i++)
		assert_int_equal(past_child(&p, i ? nodes[i / 2] : 0, 1, i), nodes[i]);
	past_fini(&p);
}

static void replay_gives_the_events_back(void **state)
{
	struct solve_event a[] = {writes(0, 7, 1), reads(1, 8, 5), writes(2, 7, 2), reads(3, 8, 6),
				  writes(4, 9, 1)};
	struct solve_history h = VEC_INIT;
	uint32_t node;
	struct past p;

	past_init(&p);
	assert_int_equal(follow(&p, a, 5, &node), 0);
	past_replay(&p, 1, node, 1, &h);
	assert_int_equal(h.count, 5);
	for (size_t i = 0; i < 5; i++) {
		assert_int_equal(h.items[i].index, a[i].index);
		assert_int_equal(h.items[i].op, a[i].op);
		assert_int_equal(h.items[i].value, a[i].value);
		assert_int_equal(h.items[i].written, a[i].written);
	}
	vec_free(&h);
	past_fini(&p);
}

static void another_deed_after_the_same_reads_is_an_error(void **state)
{
	struct solve_event a[] = {reads(0, 8, 5), writes(1, 7, 2)};
	struct solve_event b[] = {reads(0, 8, 5), writes(1, 7, 3)};
	struct solve_event c[] = {reads(0, 9, 5)};
	uint32_t node;
	struct past p;

	past_init(&p);
	assert_int_equal(follow(&p, a, 2, &node), 0);
	assert_int_equal(follow(&p, b, 2, &node), ERR_INTERNAL);
	assert_int_equal(follow(&p, c, 1, &node), ERR_INTERNAL);
	past_fini(&p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(equal_reads_lead_to_one_node),
		cmocka_unit_test(covers_is_being_an_ancestor),
		cmocka_unit_test(many_children_are_found_again),
		cmocka_unit_test(replay_gives_the_events_back),
		cmocka_unit_test(another_deed_after_the_same_reads_is_an_error),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
