/*
 * The policies of the stable scheduler, one thread of the test playing all threads of a program: who
 * has the turn after an operation.
 */
#include "unit.h"

#include "guest/stable/conf.h"
#include "guest/stable/msg.h"
#include "guest/stable/sched/check.h"
#include "guest/stable/sched/policy.h"
#include "guest/stable/sched/runq.h"

#define THREADS 3

static struct sched_thread threads[THREADS];

static void begin(enum conf_policy policy)
{
	memset(threads, 0, sizeof(threads));
	memset(&sched, 0, sizeof(sched));
	conf.policy = policy;
	conf.spin = 0;
	policy_choose();
	for (uint32_t i = 0; i < THREADS; i++)
		threads[i].tid = i;
	sched_init(&threads[0]);
	sched_self = &threads[0];
	for (int i = 1; i < THREADS; i++)
		sched_add(&threads[i]);
}

/* The thread with the turn; exactly one has it. */
static unsigned holder(void)
{
	unsigned found = THREADS;

	for (unsigned i = 0; i < THREADS; i++) {
		if (sched_state(&threads[i]) != SCHED_GRANTED)
			continue;
		assert_int_equal(found, THREADS);
		found = i;
	}
	assert_int_not_equal(found, THREADS);
	assert_int_equal(ctl->loose[STABLE_LOOSE_BROKEN].count, 0);
	return found;
}

/* The holder does one operation. */
static unsigned operate(void)
{
	unsigned who = holder();

	sched_put_turn(&threads[who]);
	return who;
}

static void round_robin_passes_the_turn_after_every_operation(void **state)
{
	begin(CONF_RR);
	threads[0].keep.held = 1; /* a critical section changes nothing */
	for (unsigned i = 0; i < 9; i++)
		assert_int_equal(operate(), i % THREADS);
}

static void batch_keeps_the_turn_inside_a_critical_section(void **state)
{
	begin(CONF_BATCH);
	threads[0].keep.held = 1;
	assert_int_equal(operate(), 0);
	assert_int_equal(operate(), 0);
	assert_true(threads[0].keep.kept);
	threads[0].keep.held = 0;
	assert_int_equal(operate(), 0);
	assert_int_equal(operate(), 1);
	assert_int_equal(operate(), 2);
	assert_int_equal(holder(), 0);
}

static void batch_passes_the_turn_of_a_section_without_end(void **state)
{
	unsigned n = 0;

	begin(CONF_BATCH);
	threads[0].keep.held = 1;
	while (holder() == 0) {
		operate();
		n++;
	}
	assert_int_equal(n, SCHED_BATCH_MAX);
	assert_int_equal(holder(), 1);
}

static void a_yield_passes_the_turn_in_a_section_too(void **state)
{
	begin(CONF_BATCH);
	threads[0].keep.held = 1;
	sched_yield_turn(&threads[0]);
	assert_int_equal(operate(), 0);
	assert_int_equal(holder(), 1);
}

/* Each beginning was used ahead, so the first passing goes around once. */
static void local_counts_the_beginning_of_a_thread_as_its_turn(void **state)
{
	begin(CONF_LOCAL);
	assert_int_equal(operate(), 0);
	assert_int_equal(holder(), 0);
	assert_int_equal(operate(), 0);
	assert_int_equal(holder(), 1);
}

static void local_keeps_the_turn_where_operations_belong_together(void **state)
{
	begin(CONF_LOCAL);
	sched_keep_turn(&threads[0]);
	assert_true(threads[0].keep.kept);
	assert_int_equal(holder(), 0);
	begin(CONF_RR);
	sched_keep_turn(&threads[0]);
	assert_int_equal(holder(), 1);
}

static void a_preferred_thread_is_next_and_a_deferred_one_is_not(void **state)
{
	begin(CONF_LOCAL);
	operate();
	assert_true(sched_prefer(&threads[2]));
	assert_int_equal(operate(), 0);
	assert_int_equal(holder(), 2);
	begin(CONF_LOCAL);
	operate();
	sched_defer(&threads[1], 1);
	assert_int_equal(operate(), 0);
	assert_int_equal(holder(), 2);
}

static void only_local_puts_woken_threads_in_front(void **state)
{
	struct sched_thread late = {.tid = 9};

	begin(CONF_LOCAL);
	runq_enter_woken(&late);
	assert_ptr_equal(sched.head->rq_next, &late);
	begin(CONF_RR);
	late = (struct sched_thread){.tid = 9};
	runq_enter_woken(&late);
	assert_ptr_equal(sched.tail, &late);
}

static void a_fence_opens_when_all_have_arrived(void **state)
{
	begin(CONF_FENCE);
	/* The first round is of thread 0 alone. */
	assert_int_equal(sched_state(&threads[0]), SCHED_RUN);
	sched_policy->arrive(&threads[0]);
	assert_int_equal(holder(), 0);
	sched_put_turn(&threads[0]);
	/* The next one is of all three, and none has it before the last arrives. */
	sched_policy->arrive(&threads[2]);
	sched_policy->arrive(&threads[0]);
	for (int i = 0; i < THREADS; i++)
		assert_int_equal(sched_state(&threads[i]), SCHED_RUN);
	sched_policy->arrive(&threads[1]);
	assert_int_equal(holder(), 1);
	assert_int_equal(operate(), 1);
	assert_int_equal(operate(), 2);
	assert_int_equal(holder(), 0);
}

static void first_come_first_served_leaves_the_schedule_after_each_operation(void **state)
{
	begin(CONF_FCFS);
	assert_int_equal(operate(), 0);
	assert_int_equal(sched_state(&threads[0]), SCHED_NONDET);
	assert_int_equal(sched.nondet, 1);
	assert_int_equal(holder(), 1);
}

static void a_broken_invariant_is_told_and_the_program_goes_on(void **state)
{
	uint64_t before = ctl->loose[STABLE_LOOSE_BROKEN].count;

	SCHED_ASSERT(THREADS > 0);
	assert_int_equal(ctl->loose[STABLE_LOOSE_BROKEN].count, before);
	SCHED_ASSERT(THREADS == 0);
	assert_int_equal(ctl->loose[STABLE_LOOSE_BROKEN].count, before + 1);
	ctl->loose[STABLE_LOOSE_BROKEN].count = before;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(round_robin_passes_the_turn_after_every_operation),
		cmocka_unit_test(batch_keeps_the_turn_inside_a_critical_section),
		cmocka_unit_test(batch_passes_the_turn_of_a_section_without_end),
		cmocka_unit_test(a_yield_passes_the_turn_in_a_section_too),
		cmocka_unit_test(local_counts_the_beginning_of_a_thread_as_its_turn),
		cmocka_unit_test(local_keeps_the_turn_where_operations_belong_together),
		cmocka_unit_test(a_preferred_thread_is_next_and_a_deferred_one_is_not),
		cmocka_unit_test(only_local_puts_woken_threads_in_front),
		cmocka_unit_test(a_fence_opens_when_all_have_arrived),
		cmocka_unit_test(first_come_first_served_leaves_the_schedule_after_each_operation),
		cmocka_unit_test(a_broken_invariant_is_told_and_the_program_goes_on),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
