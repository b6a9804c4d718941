/*
 * The scheduler's parts that need no process of their own: which actions are possible, which of them
 * the strategies choose, objects by address, who waits for whom.
 */
#include "unit.h"

#include "guest/check/mem/buffer.h"
#include "guest/check/sched/obj.h"
#include "guest/check/sched/state.h"
#include "support_rt.h"

#define THREADS 4
#define STEPS 4000

struct sched_state sched;
struct rt_thread rt_threads[WIRE_MAX_THREADS];
uint32_t rt_thread_count;

static struct rt_op ops[THREADS];
static struct wire_ctl control;

/* Threads 0 to n - 1 stand at an operation that nothing keeps them from. */
static void begin(unsigned n)
{
	memset(&sched, 0, sizeof(sched));
	memset(rt_threads, 0, sizeof(rt_threads[0]) * THREADS);
	memset(ops, 0, sizeof(ops));
	memset(&control.job, 0, sizeof(control.job));
	control.job.expected_steps = 100;
	rt_ctl = &control;
	sched.words = 1;
	sched.model = MODEL_SC;
	rt_thread_count = n;
	for (unsigned i = 0; i < n; i++) {
		ops[i] = (struct rt_op){.kind = EVENT_READ};
		rt_threads[i].tid = (uint16_t)i;
		rt_threads[i].slot = (uint16_t)i;
		rt_threads[i].op = &ops[i];
		rt_threads[i].state = THREAD_PARKED;
		rt_threads[i].buffer = buffer_of_slot(i);
		sched.by_slot[i] = &rt_threads[i];
		set_add(&sched.enabled, i);
	}
	rt_current = &rt_threads[0];
}

/* Begins a run of the strategy, every thread being born. */
static void start(const struct strategy *s, uint64_t seed)
{
	sched.strategy = s;
	s->begin(seed);
	for (uint32_t i = 0; i < rt_thread_count; i++)
		s->born(&rt_threads[i]);
}

/* The strategy's next action, performed: the thread chosen is the running one. */
static struct action step(void)
{
	struct action a;

	sched.steps++;
	sched.strategy->choose(&a);
	if (a.kind == CHOICE_RUN) {
		assert_true(set_has(&sched.enabled, a.thread->slot));
		rt_current = a.thread;
	}
	return a;
}

static void put_store(unsigned thread, uint64_t addr)
{
	static uint32_t tix;
	struct buffer_entry e = {.store = {.at = addr, .value = 1, .size = 4, .tix = tix++}};

	buffer_put(rt_threads[thread].buffer, &e);
	set_add(&sched.buffered, thread);
}

static void actions_are_runs_then_flushes_then_timeouts(void **state)
{
	struct action a;

	begin(3);
	sched.model = MODEL_PSO;
	set_remove(&sched.enabled, 2);
	set_add(&sched.timed, 2);
	put_store(1, 16);
	put_store(1, 32);
	assert_int_equal(action_count(), 2 + 2 + 1);
	assert_int_equal(action_count_without_timeouts(), 4);
	action_nth(1, &a);
	assert_true(a.kind == CHOICE_RUN && a.thread == &rt_threads[1]);
	action_nth(3, &a);
	assert_true(a.kind == CHOICE_FLUSH && a.thread == &rt_threads[1] && a.arg == 1);
	action_nth(4, &a);
	assert_true(a.kind == CHOICE_TIMEOUT && a.thread == &rt_threads[2]);
	buffer_take(rt_threads[1].buffer, MODEL_PSO, 0);
	buffer_take(rt_threads[1].buffer, MODEL_PSO, 0);
}

static void by_default_stores_come_first_then_the_running_thread(void **state)
{
	struct action a;

	begin(3);
	rt_current = &rt_threads[2];
	put_store(1, 16);
	sched.model = MODEL_TSO;
	action_default(&a, false);
	assert_true(a.kind == CHOICE_FLUSH && a.thread == &rt_threads[1]);
	buffer_take(rt_threads[1].buffer, MODEL_TSO, 0);
	set_remove(&sched.buffered, 1);
	action_default(&a, false);
	assert_ptr_equal(a.thread, &rt_threads[2]);
	action_default(&a, true);
	assert_ptr_equal(a.thread, &rt_threads[0]);
	ops[2].flags = OP_YIELD;
	action_default(&a, false);
	assert_ptr_equal(a.thread, &rt_threads[0]);
}

static void by_default_time_passes_only_when_nothing_else_can(void **state)
{
	struct action a;

	begin(2);
	set_remove(&sched.enabled, 0);
	set_add(&sched.timed, 0);
	action_default(&a, false);
	assert_true(a.kind == CHOICE_RUN && a.thread == &rt_threads[1]);
	set_remove(&sched.enabled, 1);
	action_default(&a, false);
	assert_true(a.kind == CHOICE_TIMEOUT && a.thread == &rt_threads[0]);
}

static const struct strategy *const strategies[] = {&strategy_random, &strategy_pct, &strategy_rr};

static void the_same_seed_gives_the_same_choices(void **state)
{
	uint16_t chosen[100];

	for (size_t k = 0; k < 3; k++) {
		begin(THREADS);
		start(strategies[k], 7);
		for (int i = 0; i < 100; i++)
			chosen[i] = step().thread->tid;
		begin(THREADS);
		start(strategies[k], 7);
		for (int i = 0; i < 100; i++)
			assert_int_equal(step().thread->tid, chosen[i]);
	}
}

static void every_thread_gets_its_turn_under_random_and_rr(void **state)
{
	for (size_t k = 0; k < 3; k += 2) {
		unsigned count[THREADS] = {0};

		begin(THREADS);
		start(strategies[k], 3);
		for (int i = 0; i < STEPS; i++)
			count[step().thread->tid]++;
		for (int i = 0; i < THREADS; i++)
			assert_true(count[i] > 0);
	}
}

static void round_robin_goes_round(void **state)
{
	begin(3);
	start(&strategy_rr, 1);
	for (int i = 0; i < 200; i++) {
		unsigned before = rt_current->slot, after = step().thread->slot;

		assert_true(after == before || after == (before + 1) % 3);
	}
}

static void pct_runs_one_thread_until_a_change_or_a_yield(void **state)
{
	unsigned first, changes = 0;

	begin(THREADS);
	control.job.bound = 3;
	control.job.expected_steps = 50;
	start(&strategy_pct, 11);
	first = step().thread->tid;
	for (int i = 0; i < 200; i++) {
		unsigned now = step().thread->tid;

		changes += now != first;
		first = now;
	}
	assert_true(changes <= 2); /* depth 3: two points of change */
	ops[first].flags = OP_YIELD;
	assert_int_not_equal(step().thread->tid, first);
}

static void what_is_not_enabled_is_never_run(void **state)
{
	for (size_t k = 0; k < 3; k++) {
		begin(THREADS);
		set_remove(&sched.enabled, 1);
		set_remove(&sched.enabled, 3);
		rt_current = &rt_threads[0];
		start(strategies[k], 5);
		for (int i = 0; i < 500; i++)
			assert_int_equal(step().thread->tid % 2, 0);
	}
}

static void stores_reach_memory_when_nobody_can_run(void **state)
{
	for (size_t k = 0; k < 3; k++) {
		struct action a;

		begin(2);
		sched.model = MODEL_TSO;
		put_store(1, 16);
		start(strategies[k], 5);
		set_remove(&sched.enabled, 0);
		set_remove(&sched.enabled, 1);
		a = step();
		assert_true(a.kind == CHOICE_FLUSH && a.thread == &rt_threads[1]);
		buffer_take(rt_threads[1].buffer, MODEL_TSO, 0);
	}
}

/* ---- objects, and who waits for whom ---- */

static void objects_are_found_by_address_until_they_are_removed(void **state)
{
	static char places[600];

	for (unsigned i = 0; i < sizeof(places); i++)
		obj_get(&places[i], OBJ_MUTEX)->extra[0] = i;
	for (unsigned i = 0; i < sizeof(places); i += 2)
		obj_remove(obj_find((uint64_t)&places[i]));
	for (unsigned i = 0; i < sizeof(places); i++) {
		struct rt_obj *o = obj_find((uint64_t)&places[i]);

		if (i % 2)
			assert_true(o && o->extra[0] == i && o->kind == OBJ_MUTEX);
		else
			assert_null(o);
	}
	/* Another kind at the same address is another object. */
	assert_int_equal(obj_get(&places[1], OBJ_SEM)->extra[0], 0);
	for (unsigned i = 1; i < sizeof(places); i += 2)
		obj_remove(obj_find((uint64_t)&places[i]));
}

/* Thread `who' waits for a lock that `owner' has. */
static void waits_for(unsigned who, unsigned owner, const void *lock)
{
	struct rt_obj *o = obj_get(lock, OBJ_MUTEX);

	o->mutex.owner = owner + 1;
	ops[who] = (struct rt_op){.kind = EVENT_LOCK, .addr = (uint64_t)lock};
	rt_threads[who].state = THREAD_BLOCKED;
}

static void a_cycle_of_owners_is_a_deadlock(void **state)
{
	static char locks[3];

	begin(3);
	waits_for(0, 1, &locks[1]);
	waits_for(1, 2, &locks[2]);
	assert_ptr_equal(deadlock_holder(&rt_threads[0]), &rt_threads[1]);
	assert_false(deadlock_cycle(&rt_threads[0]));
	waits_for(2, 0, &locks[0]);
	for (unsigned i = 0; i < 3; i++)
		assert_true(deadlock_cycle(&rt_threads[i]));
}

static void a_request_that_expires_breaks_the_cycle(void **state)
{
	static char locks[2];

	begin(2);
	waits_for(0, 1, &locks[1]);
	waits_for(1, 0, &locks[0]);
	assert_true(deadlock_cycle(&rt_threads[0]));
	ops[1].timed = 1;
	assert_false(deadlock_cycle(&rt_threads[0]));
}

static void a_join_waits_for_its_thread(void **state)
{
	static char lock;

	begin(2);
	ops[0] = (struct rt_op){.kind = EVENT_THREAD_JOIN, .addr = (uint64_t)&rt_threads[1]};
	rt_threads[0].state = THREAD_BLOCKED;
	waits_for(1, 0, &lock);
	assert_ptr_equal(deadlock_holder(&rt_threads[0]), &rt_threads[1]);
	assert_true(deadlock_cycle(&rt_threads[1]));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(actions_are_runs_then_flushes_then_timeouts),
		cmocka_unit_test(by_default_stores_come_first_then_the_running_thread),
		cmocka_unit_test(by_default_time_passes_only_when_nothing_else_can),
		cmocka_unit_test(the_same_seed_gives_the_same_choices),
		cmocka_unit_test(every_thread_gets_its_turn_under_random_and_rr),
		cmocka_unit_test(round_robin_goes_round),
		cmocka_unit_test(pct_runs_one_thread_until_a_change_or_a_yield),
		cmocka_unit_test(what_is_not_enabled_is_never_run),
		cmocka_unit_test(stores_reach_memory_when_nobody_can_run),
		cmocka_unit_test(objects_are_found_by_address_until_they_are_removed),
		cmocka_unit_test(a_cycle_of_owners_is_a_deadlock),
		cmocka_unit_test(a_request_that_expires_breaks_the_cycle),
		cmocka_unit_test(a_join_waits_for_its_thread),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
