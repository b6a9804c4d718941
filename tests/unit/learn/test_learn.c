/* Trees of what threads do. */
#include "unit.h"

#include "learn/learn.h"

static struct learn_step step_of(uint8_t op, uint32_t tix, uint64_t value)
{
	return (struct learn_step){
		.op = op, .tix = tix, .value = value, .object = 0, .other = LEARN_NONE, .size = 4};
}

static uint32_t root_of_main(struct learn *l)
{
	uint32_t t = learn_thread(l, LEARN_NONE, 0);

	return l->threads.items[t].root;
}

static void follow(struct learn *l, struct learn_cursor *c, struct learn_step s, uint64_t outcome)
{
	struct err e = ERR_INIT;

	assert_int_equal(learn_follow(l, c, &s, &e), 0);
	if (learn_reads(&s))
		learn_outcome(l, c, outcome, false, 0);
}

static void a_value_read_before_leads_to_the_same_node(void **state)
{
	struct learn l;
	struct learn_cursor a, b, c;
	uint32_t main_thread;

	learn_init(&l);
	main_thread = learn_thread(&l, LEARN_NONE, 0);
	a = b = c = (struct learn_cursor){l.threads.items[main_thread].root, 0};
	follow(&l, &a, step_of(LEARN_READ, 1, 0), 42);
	follow(&l, &b, step_of(LEARN_READ, 1, 0), 42);
	follow(&l, &c, step_of(LEARN_READ, 1, 0), 43);
	assert_int_equal(a.node, b.node);
	assert_int_not_equal(a.node, c.node);
	assert_int_equal(learn_look(&l, l.threads.items[main_thread].root, 44), 0);
	learn_fini(&l);
}

static void another_step_after_the_same_reads_is_refused(void **state)
{
	struct learn l;
	struct learn_cursor a, b;
	struct learn_step other = step_of(LEARN_WRITE, 1, 2);
	struct err e = ERR_INIT;

	learn_init(&l);
	a = b = (struct learn_cursor){root_of_main(&l), 0};
	follow(&l, &a, step_of(LEARN_WRITE, 1, 1), 0);
	assert_int_equal(learn_follow(&l, &b, &other, &e), ERR_MISMATCH);
	learn_fini(&l);
}

static void a_step_announced_is_filled_in_when_it_happens(void **state)
{
	struct learn l;
	struct learn_cursor a;
	struct learn_step lock = step_of(LEARN_LOCK, 1, 1), twice = step_of(LEARN_LOCK, 1, 2);
	struct err e = ERR_INIT;

	learn_init(&l);
	a = (struct learn_cursor){root_of_main(&l), 0};
	assert_int_equal(learn_announce(&l, &a, &lock, &e), 0);
	assert_true(learn_at(&l, a)->flags & LEARN_ANNOUNCED);
	assert_int_equal(learn_follow(&l, &a, &twice, &e), 0);
	a.pos = 0;
	assert_int_equal(learn_at(&l, a)->value, 2);
	assert_false(learn_at(&l, a)->flags & LEARN_ANNOUNCED);
	learn_fini(&l);
}

static uint32_t writes(struct learn *l, uint32_t object)
{
	struct foot_class c = {.thread = 0, .object = object, .kind = FOOT_WRITE};
	uint32_t id = foot_class(&l->foot, &c);

	return intern_set(&l->foot.prints, &id, 1);
}

static void footprints_grow_towards_the_root(void **state)
{
	struct learn l;
	struct learn_cursor root, a, b;
	struct learn_step first, second;
	uint64_t version;

	learn_init(&l);
	root = a = b = (struct learn_cursor){root_of_main(&l), 0};
	follow(&l, &a, step_of(LEARN_READ, 1, 0), 0);
	first = step_of(LEARN_WRITE, 2, 5);
	first.classes = writes(&l, 7);
	follow(&l, &a, first, 0);
	learn_settle(&l, &a, 1);
	assert_true(foot_touches(&l.foot, learn_at(&l, root)->future, 7, FOOT_WRITE));
	version = l.version;
	follow(&l, &b, step_of(LEARN_READ, 1, 0), 1);
	second = step_of(LEARN_WRITE, 2, 6);
	second.classes = writes(&l, 8);
	follow(&l, &b, second, 0);
	learn_settle(&l, &b, 1);
	assert_true(foot_touches(&l.foot, learn_at(&l, root)->future, 8, FOOT_WRITE));
	assert_true(l.version > version);
	learn_fini(&l);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_value_read_before_leads_to_the_same_node),
		cmocka_unit_test(another_step_after_the_same_reads_is_refused),
		cmocka_unit_test(a_step_announced_is_filled_in_when_it_happens),
		cmocka_unit_test(footprints_grow_towards_the_root),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
