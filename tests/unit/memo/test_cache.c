/* The cache: the two shapes of the example with threads and blocks, lookups, labels, merging. */
#include "unit.h"

#include "memo/simplify.h"
#include "support_memo.h"

static struct memo_solver *solver;

static int setup(void **state)
{
	(void)state;
	solver = memo_solver_new();
	return solver ? 0 : -1;
}

static int teardown(void **state)
{
	(void)state;
	memo_solver_free(solver);
	return 0;
}

static void parts_free(struct memo_part *parts, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		memo_terms_free(&parts[i].conditions);
		memo_schedule_free(&parts[i].schedule);
	}
}

/* Both numbers are declared before any thread is made. */
static uint32_t learn_adjacent(struct memo_cache *c, uint8_t threads, uint8_t blocks,
			       const char *order)
{
	struct memo_part parts[3] = {{.conditions = {.inputs = VEC_INIT}}};
	struct memo_entry about = {.child = MEMO_NONE};
	struct kit k;
	uint32_t id;

	kit_begin(&k);
	kit_loop(&k, 0, threads, &parts[2].conditions);
	kit_loop(&k, 1, blocks, &parts[2].conditions);
	memo_simplify(solver, &parts[2].conditions);
	kit_order(order, &parts[2].schedule);
	id = memo_cache_insert(c, parts, 3, &about, memo_implies, solver);
	parts_free(parts, 3);
	kit_end(&k);
	return id;
}

/* The number of blocks is declared behind the loop that makes threads. */
static uint32_t learn_split(struct memo_cache *c, uint8_t threads, uint8_t blocks,
			    const char *creates, const char *rest)
{
	struct memo_part parts[3] = {{.conditions = {.inputs = VEC_INIT}}};
	struct memo_entry about = {.child = MEMO_NONE};
	struct kit k;
	uint32_t id;

	kit_begin(&k);
	kit_loop(&k, 0, threads, &parts[1].conditions);
	kit_order(creates, &parts[1].schedule);
	kit_loop(&k, 1, blocks, &parts[2].conditions);
	kit_order(rest, &parts[2].schedule);
	memo_simplify(solver, &parts[1].conditions);
	memo_simplify(solver, &parts[2].conditions);
	id = memo_cache_insert(c, parts, 3, &about, memo_implies, solver);
	parts_free(parts, 3);
	kit_end(&k);
	return id;
}

static uint32_t look_up(const struct memo_cache *c, uint8_t threads, uint8_t blocks)
{
	const uint8_t numbers[2] = {threads, blocks};
	struct memo_region regions[2];
	struct memo_given given = kit_given(regions, numbers);
	struct memo_plan plan;

	if (!memo_cache_find(c, &given, &plan))
		return 0;
	return plan.path[plan.count - 1]->id;
}

static void test_adjacent(void **state)
{
	struct memo_cache c;
	uint32_t first;

	(void)state;
	memo_cache_init(&c);
	first = learn_adjacent(&c, 2, 2, "0010102");
	assert_int_not_equal(first, 0);
	assert_int_equal(look_up(&c, 2, 2), first);
	assert_int_equal(look_up(&c, 2, 3), 0);
	assert_int_equal(look_up(&c, 3, 2), 0);
	/* Levels: before the first number, before the second, all the rest. */
	assert_int_equal(c.nodes.count, 3);
	for (size_t i = 0; i < 3; i++)
		assert_int_equal(c.nodes.items[i].entries.count, 1);
	assert_int_equal(c.nodes.items[2].entries.items[0].conditions.roots.count, 4);
	(void)learn_adjacent(&c, 2, 3, "001010201");
	assert_int_equal(c.nodes.items[2].entries.count, 2);
	(void)learn_adjacent(&c, 3, 2, "00010203");
	assert_int_equal(c.nodes.items[2].entries.count, 3);
	/* The same again teaches nothing. */
	assert_int_equal(learn_adjacent(&c, 2, 2, "0010102"), first);
	assert_int_equal(c.nodes.items[2].entries.count, 3);
	memo_cache_free(&c);
}

static void test_split(void **state)
{
	struct memo_cache c;
	uint32_t first, second;

	(void)state;
	memo_cache_init(&c);
	first = learn_split(&c, 2, 2, "00", "0102");
	assert_int_equal(c.nodes.items[1].entries.count, 1);
	second = learn_split(&c, 2, 3, "00", "010201");
	/* The first level is shared. */
	assert_int_equal(c.nodes.items[1].entries.count, 1);
	assert_int_equal(c.nodes.items[2].entries.count, 2);
	(void)learn_split(&c, 3, 2, "000", "0102");
	assert_int_equal(c.nodes.items[1].entries.count, 2);
	assert_int_equal(look_up(&c, 2, 2), first);
	assert_int_equal(look_up(&c, 2, 3), second);
	assert_int_not_equal(look_up(&c, 3, 2), 0);
	assert_int_equal(look_up(&c, 3, 3), 0);
	memo_cache_free(&c);
}

static void test_backups_and_rates(void **state)
{
	struct memo_cache c;
	uint32_t first, second;

	(void)state;
	memo_cache_init(&c);
	first = learn_adjacent(&c, 2, 2, "0102");
	second = learn_adjacent(&c, 2, 2, "0201");
	assert_int_not_equal(first, second);
	assert_int_equal(look_up(&c, 2, 2), first);
	memo_cache_used(&c, first, false);
	/* It failed: the other one is tried. */
	assert_int_equal(look_up(&c, 2, 2), second);
	memo_cache_used(&c, second, true);
	assert_int_equal(look_up(&c, 2, 2), second);
	assert_int_not_equal(learn_adjacent(&c, 2, 2, "0012"), 0);
	assert_int_not_equal(learn_adjacent(&c, 2, 2, "0021"), 0);
	assert_int_equal(learn_adjacent(&c, 2, 2, "2100"), 0);
	memo_cache_free(&c);
}

static void test_labels(void **state)
{
	struct memo_cache c;
	uint32_t first, second;

	(void)state;
	memo_cache_init(&c);
	first = learn_adjacent(&c, 2, 2, "0102");
	memo_cache_plan(&c, first)->label = MEMO_BAD;
	assert_int_equal(look_up(&c, 2, 2), 0);
	/* Learned again it is the same one, and still bad. */
	assert_int_equal(learn_adjacent(&c, 2, 2, "0102"), first);
	assert_int_equal(look_up(&c, 2, 2), 0);
	second = learn_adjacent(&c, 2, 2, "0201");
	assert_int_equal(look_up(&c, 2, 2), second);
	memo_cache_plan(&c, second)->races = 1;
	assert_int_equal(look_up(&c, 2, 2), 0);
	memo_cache_free(&c);
}

static void test_merge(void **state)
{
	struct memo_cache a, b;
	struct err e = ERR_INIT;
	uint32_t id;

	(void)state;
	memo_cache_init(&a);
	memo_cache_init(&b);
	(void)learn_adjacent(&a, 2, 2, "0102");
	(void)learn_adjacent(&b, 2, 2, "0102");
	id = learn_adjacent(&b, 4, 2, "00102");
	memo_cache_plan(&b, id)->label = MEMO_GOOD;
	assert_ok(memo_cache_merge(&a, &b, memo_implies, solver, &e), e);
	assert_int_equal(a.nodes.items[2].entries.count, 2);
	assert_int_equal(memo_cache_plan(&a, look_up(&a, 4, 2))->label, MEMO_GOOD);
	assert_ok(memo_cache_check(&a, &e), e);
	b.build[0] = 1;
	assert_error(memo_cache_merge(&a, &b, memo_implies, solver, &e), ERR_MISMATCH, e);
	memo_cache_free(&a);
	memo_cache_free(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_adjacent, setup, teardown),
		cmocka_unit_test_setup_teardown(test_split, setup, teardown),
		cmocka_unit_test_setup_teardown(test_backups_and_rates, setup, teardown),
		cmocka_unit_test_setup_teardown(test_labels, setup, teardown),
		cmocka_unit_test_setup_teardown(test_merge, setup, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
