/* The rules of wire/rules.h, which guest and machine share. */
#include "unit.h"

#include "wire/rules_store.h"

static void a_mutex_is_of_one_thread_at_a_time(void **state)
{
	struct rule_mutex m = {0};

	assert_int_equal(rule_mutex_ask(&m, 1), RULE_GO);
	rule_mutex_take(&m, 1);
	assert_int_equal(rule_mutex_ask(&m, 1), RULE_OWN);
	assert_int_equal(rule_mutex_ask(&m, 2), RULE_WAIT);
	assert_int_equal(rule_mutex_ask_drop(&m, 2), RULE_MISUSE);
	assert_false(rule_mutex_idle(&m));
	rule_mutex_take(&m, 1);
	assert_false(rule_mutex_drop(&m, 1));
	assert_int_equal(rule_mutex_ask(&m, 2), RULE_WAIT);
	assert_true(rule_mutex_drop(&m, 1));
	assert_int_equal(rule_mutex_ask(&m, 2), RULE_GO);
	assert_int_equal(rule_mutex_ask_drop(&m, 1), RULE_MISUSE);
	assert_true(rule_mutex_idle(&m));
}

static void a_lock_of_another_thread_that_lives_does_not_begin_anew(void **state)
{
	assert_true(rule_lock_may_begin(RULE_NOBODY, 1, false));
	assert_true(rule_lock_may_begin(1, 1, true));
	assert_true(rule_lock_may_begin(2, 1, false));
	assert_false(rule_lock_may_begin(2, 1, true));
}

static void readers_share_and_writers_do_not(void **state)
{
	struct rule_rwlock l = {0};

	rule_rwlock_take(&l, 1, false);
	rule_rwlock_take(&l, 2, false);
	assert_int_equal(rule_rwlock_ask(&l, 3, true), RULE_WAIT);
	assert_int_equal(rule_rwlock_ask(&l, 3, false), RULE_GO);
	assert_false(rule_rwlock_idle(&l));
	rule_rwlock_drop(&l, 1);
	assert_int_equal(rule_rwlock_ask(&l, 3, true), RULE_WAIT);
	rule_rwlock_drop(&l, 2);
	assert_int_equal(rule_rwlock_ask_drop(&l, 2), RULE_MISUSE);
	rule_rwlock_take(&l, 3, true);
	assert_int_equal(rule_rwlock_ask(&l, 1, false), RULE_WAIT);
	assert_int_equal(rule_rwlock_ask(&l, 3, false), RULE_OWN);
	assert_int_equal(rule_rwlock_ask_drop(&l, 1), RULE_MISUSE);
	rule_rwlock_drop(&l, 3);
	assert_true(rule_rwlock_idle(&l));
}

static void tokens_are_counted(void **state)
{
	struct rule_sem s = {1};

	assert_int_equal(rule_sem_ask(&s), RULE_GO);
	rule_sem_take(&s);
	assert_int_equal(rule_sem_ask(&s), RULE_WAIT);
	assert_false(rule_sem_idle(&s, 1));
	assert_true(rule_sem_idle(&s, 0));
	rule_sem_give(&s);
	assert_true(rule_sem_idle(&s, 1));
	assert_int_equal(s.tokens, 1);
}

static void the_last_to_arrive_completes_a_barrier(void **state)
{
	struct rule_barrier b = {0, 3};

	for (int round = 0; round < 2; round++) {
		assert_false(rule_barrier_arrive(&b));
		assert_false(rule_barrier_idle(&b));
		assert_false(rule_barrier_completes(&b));
		assert_false(rule_barrier_arrive(&b));
		assert_true(rule_barrier_completes(&b));
		assert_true(rule_barrier_arrive(&b));
		assert_true(rule_barrier_idle(&b));
	}
	b.limit = 0;
	assert_int_equal(rule_barrier_ask(&b), RULE_MISUSE);
}

static void an_initialiser_that_was_left_runs_again(void **state)
{
	struct rule_once o = {0};

	assert_true(rule_once_begin(&o, 1));
	assert_int_equal(rule_once_ask(&o), RULE_WAIT);
	rule_once_end(&o, false);
	assert_true(rule_once_begin(&o, 2));
	rule_once_end(&o, true);
	assert_int_equal(rule_once_ask(&o), RULE_GO);
	assert_false(rule_once_begin(&o, 1));
}

static void a_signal_may_wake_any_sleeper(void **state)
{
	assert_int_equal(rule_wakes(3, 1), 1);
	assert_int_equal(rule_wakes(0, 1), 0);
	assert_int_equal(rule_wakes(3, RULE_ALL), 3);
	assert_int_equal(rule_wake_ways(3, 1), 3);
	assert_int_equal(rule_wake_ways(3, 2), 3);
	assert_int_equal(rule_wake_ways(2, 1), 2);
	assert_int_equal(rule_wake_ways(1, 1), 1);
	assert_int_equal(rule_wake_ways(3, 3), 1);
	assert_int_equal(rule_wake_ways(0, 0), 1);
	assert_true(rule_cond_idle(0));
	assert_false(rule_cond_idle(1));
}

static void a_futex_sleeps_on_the_value_expected(void **state)
{
	assert_true(rule_futex_sleeps(7, 7));
	assert_false(rule_futex_sleeps(8, 7));
	assert_false(rule_futex_sleeps(6, 7));
}

/* ---- store buffers ---- */

/* With something behind it, as in the buffers of guest and machine. */
struct entry {
	struct rule_store store;
	uint64_t behind;
};

static bool may_go(const struct entry *all, uint32_t n, enum wire_model model)
{
	return rule_store_may_go(&all[0].store, sizeof(all[0]), n, model);
}

static void stores_leave_as_the_model_says(void **state)
{
	const struct entry all[] = {
		{.store = {.at = 0, .size = 4, .epoch = 1}},
		{.store = {.at = 8, .size = 4, .epoch = 1}},
		{.store = {.at = 3, .size = 2, .epoch = 1}},
		{.store = {.at = 16, .size = 4, .epoch = 2}},
	};

	assert_true(may_go(all, 0, MODEL_TSO));
	assert_false(may_go(all, 1, MODEL_TSO));
	assert_true(may_go(all, 0, MODEL_PSO));
	assert_true(may_go(all, 1, MODEL_PSO));
	assert_false(may_go(all, 2, MODEL_PSO)); /* overlaps an older one */
	assert_false(may_go(all, 3, MODEL_PSO)); /* behind a release */
	assert_true(may_go(all + 3, 0, MODEL_PSO));
}

static void a_release_begins_an_epoch_behind_what_is_pending(void **state)
{
	assert_int_equal(rule_store_epoch(3, 0), 3);
	assert_int_equal(rule_store_epoch(3, 1), 4);
}

static void loads_see_the_bytes_of_a_store(void **state)
{
	const struct rule_store s = {.at = 2, .size = 4, .value = 0x44332211};
	unsigned char bytes[4] = {9, 9, 9, 9};

	rule_store_forward(&s, 0, bytes, 4);
	assert_memory_equal(bytes, ((unsigned char[]){9, 9, 0x11, 0x22}), 4);
	rule_store_forward(&s, 4, bytes, 4);
	assert_memory_equal(bytes, ((unsigned char[]){0x33, 0x44, 0x11, 0x22}), 4);
	rule_store_forward(&s, 6, bytes, 4);
	assert_memory_equal(bytes, ((unsigned char[]){0x33, 0x44, 0x11, 0x22}), 4);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_mutex_is_of_one_thread_at_a_time),
		cmocka_unit_test(a_lock_of_another_thread_that_lives_does_not_begin_anew),
		cmocka_unit_test(readers_share_and_writers_do_not),
		cmocka_unit_test(tokens_are_counted),
		cmocka_unit_test(the_last_to_arrive_completes_a_barrier),
		cmocka_unit_test(an_initialiser_that_was_left_runs_again),
		cmocka_unit_test(a_signal_may_wake_any_sleeper),
		cmocka_unit_test(a_futex_sleeps_on_the_value_expected),
		cmocka_unit_test(stores_leave_as_the_model_says),
		cmocka_unit_test(a_release_begins_an_epoch_behind_what_is_pending),
		cmocka_unit_test(loads_see_the_bytes_of_a_store),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
