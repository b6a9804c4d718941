/* Nodes to look at and nodes met. */
#include "unit.h"

#include "explore/published/complete.h"

static struct wanted wants(uint32_t a, uint32_t b, uint32_t step)
{
	struct wanted w = {.frozen = VEC_INIT};

	vec_push(&w.frozen, a);
	vec_push(&w.frozen, b);
	vec_push(&w.steps, step);
	return w;
}

static bool meet(struct frontier *f, uint32_t a, uint32_t b, uint32_t step)
{
	struct wanted w = wants(a, b, step);
	bool new = frontier_meet(f, &w);

	vec_free(&w.frozen);
	vec_free(&w.steps);
	return new;
}

static void a_node_is_met_once(void **state)
{
	struct frontier f = {0};

	assert_true(meet(&f, 1, 2, 0));
	assert_false(meet(&f, 1, 2, 0));
	assert_true(meet(&f, 2, 1, 0));
	assert_true(meet(&f, 1, 2, 7)); /* wants a step as well */
	assert_true(meet(&f, 1, 0, 0));
	frontier_fini(&f);
}

static void nodes_are_remembered_when_the_table_grows(void **state)
{
	struct frontier f = {0};

	for (uint32_t i = 1; i < 5000; i++)
		assert_true(meet(&f, i, i * 7, 0));
	for (uint32_t i = 1; i < 5000; i++)
		assert_false(meet(&f, i, i * 7, 0));
	frontier_fini(&f);
}

static uint64_t next_value(struct frontier *f)
{
	struct work *w = frontier_next(f);
	uint64_t value = w ? w->value : UINT64_MAX;

	if (w)
		frontier_work_free(w);
	return value;
}

static void add(struct frontier *f, uint64_t value)
{
	struct wanted none = {.frozen = VEC_INIT};
	struct work *w = frontier_work_new(&none, 0);

	w->value = value;
	frontier_add(f, w);
}

static void nodes_come_in_the_order_asked_for(void **state)
{
	struct frontier f = {0};

	for (int lifo = 0; lifo < 2; lifo++) {
		f.last_in_first_out = lifo;
		add(&f, 1);
		add(&f, 2);
		add(&f, 3);
		assert_int_equal(next_value(&f), lifo ? 3 : 1);
		assert_int_equal(next_value(&f), 2);
		assert_int_equal(next_value(&f), lifo ? 1 : 3);
		assert_int_equal(next_value(&f), UINT64_MAX);
	}
	frontier_fini(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_node_is_met_once),
		cmocka_unit_test(nodes_are_remembered_when_the_table_grows),
		cmocka_unit_test(nodes_come_in_the_order_asked_for),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
