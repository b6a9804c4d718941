/* Sets, classes and when they conflict. */
#include "unit.h"

#include "explore/learn/foot.h"

static uint32_t class_of(struct foot *f, uint32_t thread, uint32_t object, uint32_t kind,
			 uint32_t locks)
{
	struct foot_class c = {
		.thread = thread, .object = object, .kind = kind, .locks = locks, .joined = 0};

	return foot_class(f, &c);
}

static uint32_t print_of(struct foot *f, uint32_t class)
{
	return intern_set(&f->prints, &class, 1);
}

static void equal_sets_have_one_id(void **state)
{
	struct intern x;
	uint32_t a, b;

	intern_init(&x);
	a = intern_add(&x, intern_add(&x, 0, 7), 3);
	b = intern_add(&x, intern_add(&x, 0, 3), 7);
	assert_int_equal(a, b);
	assert_int_equal(intern_count(&x, a), 2);
	assert_int_equal(intern_elements(&x, a)[0], 3);
	assert_int_equal(intern_remove(&x, intern_remove(&x, a, 3), 7), 0);
	assert_int_equal(intern_remove(&x, a, 5), a);
	for (uint32_t i = 0; i < 1000; i++)
		intern_add(&x, 0, i);
	assert_int_equal(intern_add(&x, intern_add(&x, 0, 7), 3), a);
	intern_fini(&x);
}

static void only_a_write_conflicts_with_a_read(void **state)
{
	struct foot f;
	uint32_t read, other, write;

	foot_init(&f);
	read = class_of(&f, 1, 5, FOOT_READ, 0);
	other = class_of(&f, 2, 5, FOOT_READ, 0);
	write = class_of(&f, 2, 5, FOOT_WRITE, 0);
	assert_false(foot_conflicts(&f, read, print_of(&f, other)));
	assert_true(foot_conflicts(&f, read, print_of(&f, write)));
	assert_false(foot_conflicts(&f, read, print_of(&f, class_of(&f, 2, 6, FOOT_WRITE, 0))));
	assert_false(foot_conflicts(&f, read, print_of(&f, class_of(&f, 1, 5, FOOT_WRITE, 0))));
	assert_int_equal(class_of(&f, 1, 5, FOOT_READ, 0), read);
	assert_true(foot_conflicts(&f, write, print_of(&f, class_of(&f, 1, 5, FOOT_WRITE, 0))));
	foot_fini(&f);
}

static void a_lock_both_hold_keeps_apart(void **state)
{
	struct foot f;
	uint32_t exclusive, shared, mine;

	foot_init(&f);
	exclusive = intern_add(&f.sets, 0, FOOT_EXCLUSIVE(9));
	shared = intern_add(&f.sets, 0, FOOT_SHARED(9));
	mine = class_of(&f, 1, 5, FOOT_WRITE, exclusive);
	assert_false(foot_conflicts(&f, mine, print_of(&f, class_of(&f, 2, 5, FOOT_WRITE, exclusive))));
	assert_false(foot_conflicts(&f, mine, print_of(&f, class_of(&f, 2, 5, FOOT_READ, shared))));
	assert_true(foot_conflicts(&f, mine, print_of(&f, class_of(&f, 2, 5, FOOT_READ, 0))));
	mine = class_of(&f, 1, 5, FOOT_WRITE, shared);
	assert_true(foot_conflicts(&f, mine, print_of(&f, class_of(&f, 2, 5, FOOT_READ, shared))));
	foot_fini(&f);
}

static void a_joined_thread_is_over(void **state)
{
	struct foot f;
	struct foot_class after = {.thread = 0, .object = 5, .kind = FOOT_READ};
	uint32_t write, read;

	foot_init(&f);
	after.joined = intern_add(&f.sets, 0, 1);
	read = foot_class(&f, &after);
	write = class_of(&f, 1, 5, FOOT_WRITE, 0);
	assert_false(foot_conflicts(&f, write, print_of(&f, read)));
	write = class_of(&f, 2, 5, FOOT_WRITE, 0);
	assert_true(foot_conflicts(&f, write, print_of(&f, read)));
	foot_fini(&f);
}

static void giving_back_conflicts_only_with_looking(void **state)
{
	struct foot f;
	uint32_t unlock;

	foot_init(&f);
	unlock = class_of(&f, 1, 3, FOOT_UNLOCK, 0);
	assert_false(foot_conflicts(&f, unlock, print_of(&f, class_of(&f, 2, 3, FOOT_LOCK, 0))));
	assert_true(foot_conflicts(&f, unlock, print_of(&f, class_of(&f, 2, 3, FOOT_TRY, 0))));
	assert_true(foot_conflicts(&f, class_of(&f, 1, 3, FOOT_LOCK, 0),
				   print_of(&f, class_of(&f, 2, 3, FOOT_LOCK, 0))));
	foot_fini(&f);
}

static void unions_are_unions(void **state)
{
	struct foot f;
	uint32_t a, b, both;

	foot_init(&f);
	a = print_of(&f, class_of(&f, 1, 1, FOOT_READ, 0));
	b = print_of(&f, class_of(&f, 1, 2, FOOT_READ, 0));
	both = foot_union(&f, a, b);
	assert_int_equal(intern_count(&f.prints, both), 2);
	assert_int_equal(foot_union(&f, b, a), both);
	assert_int_equal(foot_union(&f, both, a), both);
	assert_int_equal(foot_union(&f, 0, a), a);
	assert_true(foot_touches(&f, both, 2, FOOT_READ));
	assert_false(foot_touches(&f, both, 2, FOOT_WRITE));
	foot_fini(&f);
}

static void large_footprints_without_room_conflict_with_everything(void **state)
{
	struct foot f;
	uint32_t print = 0, small, far;

	foot_init(&f);
	f.room = 1000;
	small = print_of(&f, class_of(&f, 1, 5, FOOT_WRITE, 0));
	far = class_of(&f, 2, 70000, FOOT_WRITE, 0);
	for (uint32_t i = 0; i < 1000; i++)
		print = foot_future(&f, print_of(&f, class_of(&f, 1, i, FOOT_WRITE, 0)), print);
	assert_int_equal(print, FOOT_ALL);
	assert_true(f.prints.data.count < 20000);
	assert_true(foot_conflicts(&f, far, print));
	assert_true(foot_covers(&f, print, small) && foot_covers(&f, small, small));
	assert_false(foot_covers(&f, small, print_of(&f, far)));
	assert_true(foot_touches(&f, print, 70000, FOOT_WAKE));
	assert_int_equal(foot_future(&f, FOOT_ALL, small), FOOT_ALL);
	assert_int_equal(foot_future(&f, 0, small), small);
	assert_false(foot_conflicts(&f, far, small));
	foot_fini(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(equal_sets_have_one_id),
		cmocka_unit_test(only_a_write_conflicts_with_a_read),
		cmocka_unit_test(a_lock_both_hold_keeps_apart),
		cmocka_unit_test(a_joined_thread_is_over),
		cmocka_unit_test(giving_back_conflicts_only_with_looking),
		cmocka_unit_test(unions_are_unions),
		cmocka_unit_test(large_footprints_without_room_conflict_with_everything),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
