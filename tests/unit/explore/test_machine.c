/* Executions thought through: what steps do to locks, sleepers and the life of objects. */
#include "unit.h"

#include <stdlib.h>

#include "explore/learn/machine_priv.h"

#define THREADS 4

/* A program written by hand: straight-line threads that main has begun already. */
struct fixture {
	struct learn l;
	struct machine m;
	struct learn_cursor at[THREADS];
	uint32_t tix;
	machine_config *c;
	unsigned model;
};

static uint32_t object(struct fixture *f, enum learn_object_kind kind, uint32_t first)
{
	struct learn_object o = {.kind = kind, .sync = f->l.syncs++, .first = first};

	vec_push(&f->l.objects, o);
	return (uint32_t)f->l.objects.count - 1;
}

static void begin(struct fixture *f)
{
	memset(f, 0, sizeof(*f));
	learn_init(&f->l);
	for (uint32_t t = 0; t < THREADS; t++) {
		uint32_t number = learn_thread(&f->l, t ? 0 : LEARN_NONE, t ? t - 1 : 0, 0);

		f->at[t] = (struct learn_cursor){f->l.threads.items[number].root, 0};
	}
}

static void add(struct fixture *f, uint32_t t, enum learn_op op, uint32_t o, uint32_t other,
		uint64_t value)
{
	struct learn_step s = {.op = (uint8_t)op,
			       .tix = f->tix++,
			       .object = o,
			       .other = other,
			       .value = value};
	struct err e = ERR_INIT;

	assert_int_equal(learn_follow(&f->l, &f->at[t], &s, &e), 0);
}

/* All threads stand at their first step. */
static void start(struct fixture *f)
{
	for (uint32_t t = 0; t < THREADS; t++)
		add(f, t, LEARN_END, LEARN_NONE, LEARN_NONE, 0);
	machine_init(&f->m, &f->l, f->model);
	f->c = calloc(1, f->m.bytes);
	machine_begin(&f->m, f->c);
	for (uint32_t t = 1; t < THREADS; t++) {
		machine_thread(&f->m, f->c, t)->node = f->l.threads.items[t].root;
		machine_thread(&f->m, f->c, t)->state = MACHINE_LIVE;
		machine_tail(&f->m, f->c)->tid[t] = (uint16_t)machine_tail(&f->m, f->c)->created++;
	}
}

static void end(struct fixture *f)
{
	free(f->c);
	learn_fini(&f->l);
}

static bool can(struct fixture *f, uint32_t t)
{
	struct machine_action a = {.kind = MACHINE_RUN, .thread = (uint16_t)t};

	return machine_can(&f->m, f->c, &a);
}

static enum machine_result go(struct fixture *f, uint32_t t, uint32_t arg)
{
	struct machine_action a = {.kind = MACHINE_RUN, .thread = (uint16_t)t, .arg = arg};

	assert_true(can(f, t));
	return machine_do(&f->m, f->c, &a);
}

/* Threads 1, 2 and 3 asleep at a condition; main about to do op. */
static void three_asleep(struct fixture *f, enum learn_op op)
{
	uint32_t mutex, condition;

	begin(f);
	mutex = object(f, LEARN_MUTEX, 0);
	condition = object(f, LEARN_CONDITION, 0);
	for (uint32_t t = 1; t < THREADS; t++) {
		add(f, t, LEARN_LOCK, mutex, LEARN_NONE, 1);
		add(f, t, LEARN_WAIT, condition, mutex, 0);
		add(f, t, LEARN_WAKE, condition, mutex, 0);
		add(f, t, LEARN_UNLOCK, mutex, LEARN_NONE, 0);
	}
	add(f, 0, op, condition, LEARN_NONE, 0);
	start(f);
	for (uint32_t t = 1; t < THREADS; t++) {
		assert_int_equal(go(f, t, 0), MACHINE_DONE);
		assert_int_equal(go(f, t, 0), MACHINE_DONE);
		assert_false(can(f, t));
	}
}

static void a_signal_wakes_whichever_sleeper_is_chosen(void **state)
{
	for (uint32_t chosen = 0; chosen < 3; chosen++) {
		struct fixture f;

		three_asleep(&f, LEARN_SIGNAL);
		assert_int_equal(machine_ways(&f.m, f.c, 0), 3);
		assert_int_equal(go(&f, 0, chosen), MACHINE_DONE);
		for (uint32_t t = 1; t < THREADS; t++)
			assert_int_equal(can(&f, t), t == chosen + 1);
		end(&f);
	}
}

static void a_broadcast_wakes_all_and_one_gets_the_mutex(void **state)
{
	struct fixture f;

	three_asleep(&f, LEARN_BROADCAST);
	assert_int_equal(machine_ways(&f.m, f.c, 0), 1);
	assert_int_equal(go(&f, 0, 0), MACHINE_DONE);
	for (uint32_t t = 1; t < THREADS; t++)
		assert_true(can(&f, t));
	assert_int_equal(go(&f, 2, 0), MACHINE_DONE);
	assert_false(can(&f, 1));
	assert_false(can(&f, 3));
	assert_int_equal(go(&f, 2, 0), MACHINE_DONE);
	assert_true(can(&f, 1));
	end(&f);
}

static void a_condition_with_sleepers_is_not_destroyed(void **state)
{
	struct fixture f;

	three_asleep(&f, LEARN_DESTROY);
	assert_int_equal(go(&f, 0, 0), MACHINE_MISUSE);
	end(&f);
	three_asleep(&f, LEARN_SET);
	assert_int_equal(go(&f, 0, 0), MACHINE_MISUSE);
	end(&f);
}

static void a_woken_thread_does_not_look_at_its_condition_again(void **state)
{
	struct fixture f;

	three_asleep(&f, LEARN_BROADCAST);
	assert_int_equal(go(&f, 0, 0), MACHINE_DONE);
	f.c[f.m.life_at + 1] = MACHINE_DESTROYED;
	assert_int_equal(go(&f, 1, 0), MACHINE_DONE);
	f.c[f.m.life_at + 0] = MACHINE_DESTROYED;
	assert_int_equal(go(&f, 1, 0), MACHINE_MISUSE);
	end(&f);
}

static void a_wait_needs_a_mutex_that_lives(void **state)
{
	struct fixture f;
	uint32_t mutex, condition;

	begin(&f);
	mutex = object(&f, LEARN_MUTEX, 0);
	condition = object(&f, LEARN_CONDITION, 0);
	add(&f, 1, LEARN_LOCK, mutex, LEARN_NONE, 1);
	add(&f, 1, LEARN_WAIT, condition, mutex, 0);
	start(&f);
	assert_int_equal(go(&f, 1, 0), MACHINE_DONE);
	f.c[f.m.life_at + mutex] = MACHINE_FREED;
	assert_int_equal(go(&f, 1, 0), MACHINE_MISUSE);
	end(&f);
}

static void a_wait_gives_up_one_level_of_a_recursive_mutex(void **state)
{
	struct fixture f;
	uint32_t mutex, condition;

	begin(&f);
	mutex = object(&f, LEARN_MUTEX, 0);
	condition = object(&f, LEARN_CONDITION, 0);
	add(&f, 1, LEARN_LOCK, mutex, LEARN_NONE, 1);
	add(&f, 1, LEARN_LOCK, mutex, LEARN_NONE, 2);
	add(&f, 1, LEARN_WAIT, condition, mutex, 0);
	add(&f, 2, LEARN_LOCK, mutex, LEARN_NONE, 1);
	start(&f);
	for (int i = 0; i < 3; i++)
		assert_int_equal(go(&f, 1, 0), MACHINE_DONE);
	assert_false(can(&f, 2));
	end(&f);
}

/* op by thread 1 on an object, then another by thread 2. */
static enum machine_result result_of(enum learn_object_kind kind, uint32_t first,
				     enum learn_op before, enum learn_op op, uint64_t value)
{
	struct fixture f;
	enum machine_result r;
	uint32_t o;

	begin(&f);
	o = object(&f, kind, first);
	add(&f, 1, before, o, LEARN_NONE, value);
	add(&f, 2, op, o, LEARN_NONE, value);
	start(&f);
	assert_int_equal(go(&f, 1, 0), MACHINE_DONE);
	r = go(&f, 2, 0);
	end(&f);
	return r;
}

static void objects_in_use_are_not_destroyed(void **state)
{
	assert_int_equal(result_of(LEARN_MUTEX, 0, LEARN_LOCK, LEARN_DESTROY, 1), MACHINE_MISUSE);
	assert_int_equal(result_of(LEARN_MUTEX, 0, LEARN_LOCK, LEARN_SET, 1), MACHINE_MISUSE);
	assert_int_equal(result_of(LEARN_MUTEX, 0, LEARN_LOCK, LEARN_UNLOCK, 1), MACHINE_MISUSE);
	assert_int_equal(result_of(LEARN_RWLOCK, 0, LEARN_RDLOCK, LEARN_DESTROY, 0),
			 MACHINE_MISUSE);
	assert_int_equal(result_of(LEARN_RWLOCK, 0, LEARN_WRLOCK, LEARN_RWUNLOCK, 0),
			 MACHINE_MISUSE);
	assert_int_equal(result_of(LEARN_SEMAPHORE, 1, LEARN_TAKE, LEARN_DESTROY, 0),
			 MACHINE_DONE);
}

static void objects_are_not_used_after_their_end(void **state)
{
	assert_int_equal(result_of(LEARN_MUTEX, 0, LEARN_DESTROY, LEARN_LOCK, 1), MACHINE_MISUSE);
	assert_int_equal(result_of(LEARN_MUTEX, 0, LEARN_DESTROY, LEARN_DESTROY, 0),
			 MACHINE_MISUSE);
	assert_int_equal(result_of(LEARN_MUTEX, 0, LEARN_DESTROY, LEARN_SET, 0), MACHINE_DONE);
	assert_int_equal(result_of(LEARN_CONDITION, 0, LEARN_DESTROY, LEARN_SIGNAL, 0),
			 MACHINE_MISUSE);
	assert_int_equal(result_of(LEARN_SEMAPHORE, 0, LEARN_DESTROY, LEARN_GIVE, 0),
			 MACHINE_MISUSE);
	assert_int_equal(result_of(LEARN_RWLOCK, 0, LEARN_DESTROY, LEARN_RDLOCK, 0),
			 MACHINE_MISUSE);
}

static void a_semaphore_with_a_sleeper_is_not_destroyed(void **state)
{
	struct fixture f;
	uint32_t o;

	begin(&f);
	o = object(&f, LEARN_SEMAPHORE, 0);
	add(&f, 1, LEARN_TAKE, o, LEARN_NONE, 0);
	add(&f, 2, LEARN_DESTROY, o, LEARN_NONE, 0);
	start(&f);
	assert_false(can(&f, 1));
	assert_int_equal(go(&f, 2, 0), MACHINE_MISUSE);
	end(&f);
}

/* A range of memory is given back by one thread and written by another. */
static void memory_that_was_given_back_is_not_touched(void **state)
{
	for (int order = 0; order < 2; order++) {
		struct fixture f;
		struct learn_step s = {.object = LEARN_NONE, .other = LEARN_NONE};
		struct err e = ERR_INIT;
		struct learn_object memory = {.kind = LEARN_MEMORY, .size = 8};

		begin(&f);
		vec_push(&f.l.objects, memory);
		for (int i = 0; i < 8; i++) {
			vec_push(&f.l.memory, 0);
			vec_push(&f.l.data, 7);
		}
		s.objects = intern_add(&f.l.sets, 0, 0);
		s.op = LEARN_FREE;
		s.tix = f.tix++;
		assert_int_equal(learn_follow(&f.l, &f.at[0], &s, &e), 0);
		s.op = LEARN_WRITE_BYTES;
		s.value = 8;
		s.tix = f.tix++;
		assert_int_equal(learn_follow(&f.l, &f.at[1], &s, &e), 0);
		start(&f);
		assert_int_equal(go(&f, (uint32_t)order, 0), MACHINE_DONE);
		assert_int_equal(go(&f, (uint32_t)!order, 0),
				 order ? MACHINE_DONE : MACHINE_MISUSE);
		end(&f);
	}
}

/* ---- store buffers ---- */

static void add_store(struct fixture *f, uint32_t offset, uint8_t flags)
{
	struct learn_step s = {.op = LEARN_WRITE,
			       .tix = f->tix++,
			       .object = LEARN_NONE,
			       .other = LEARN_NONE,
			       .offset = offset,
			       .size = 4,
			       .value = 1,
			       .flags = flags};
	struct err e = ERR_INIT;

	assert_int_equal(learn_follow(&f->l, &f->at[0], &s, &e), 0);
}

static bool flushable(struct fixture *f, uint32_t store)
{
	struct machine_action a = {.kind = MACHINE_FLUSH, .arg = store};

	return machine_can(&f->m, f->c, &a);
}

static void flush(struct fixture *f, uint32_t store)
{
	struct machine_action a = {.kind = MACHINE_FLUSH, .arg = store};

	assert_true(flushable(f, store));
	assert_int_equal(machine_do(&f->m, f->c, &a), MACHINE_DONE);
}

static void begin_stores(struct fixture *f, unsigned model)
{
	begin(f);
	f->model = model;
	for (int i = 0; i < 16; i++)
		vec_push(&f->l.memory, 0);
}

/* Three stores, the second one a release. */
static void stores_reach_memory_as_the_model_says(void **state)
{
	for (unsigned model = MODEL_TSO; model <= MODEL_PSO; model++) {
		struct fixture f;

		begin_stores(&f, model);
		add_store(&f, 0, 0);
		add_store(&f, 4, LEARN_EPOCH);
		add_store(&f, 8, 0);
		start(&f);
		for (int i = 0; i < 3; i++)
			assert_int_equal(go(&f, 0, 0), MACHINE_DONE);
		assert_false(flushable(&f, 1));
		assert_false(flushable(&f, 2));
		flush(&f, 0);
		assert_int_equal(flushable(&f, 1), model == MODEL_PSO);
		assert_int_equal(machine_load(&f.m, f.c, 0, 8, 4), 1);
		assert_int_equal(machine_load(&f.m, f.c, 1, 8, 4), 0);
		end(&f);
	}
}

/* What is issued after a release went out is no later than what is still pending. */
static void epochs_begin_with_the_oldest_store(void **state)
{
	struct fixture f;
	uint64_t before[2], after[2];

	begin_stores(&f, MODEL_PSO);
	add_store(&f, 0, 0);
	add_store(&f, 4, LEARN_EPOCH);
	add_store(&f, 8, 0);
	start(&f);
	assert_int_equal(go(&f, 0, 0), MACHINE_DONE);
	assert_int_equal(go(&f, 0, 0), MACHINE_DONE);
	flush(&f, 0);
	assert_int_equal(go(&f, 0, 0), MACHINE_DONE);
	assert_true(flushable(&f, 0));
	assert_true(flushable(&f, 1));
	flush(&f, 0);
	machine_hash(&f.m, f.c, before);
	assert_int_equal(machine_buffer(&f.m, f.c, 0)->epoch, 0);
	flush(&f, 0);
	machine_hash(&f.m, f.c, after);
	assert_true(before[0] != after[0]);
	end(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_signal_wakes_whichever_sleeper_is_chosen),
		cmocka_unit_test(a_broadcast_wakes_all_and_one_gets_the_mutex),
		cmocka_unit_test(a_condition_with_sleepers_is_not_destroyed),
		cmocka_unit_test(a_woken_thread_does_not_look_at_its_condition_again),
		cmocka_unit_test(a_wait_needs_a_mutex_that_lives),
		cmocka_unit_test(a_wait_gives_up_one_level_of_a_recursive_mutex),
		cmocka_unit_test(objects_in_use_are_not_destroyed),
		cmocka_unit_test(objects_are_not_used_after_their_end),
		cmocka_unit_test(a_semaphore_with_a_sleeper_is_not_destroyed),
		cmocka_unit_test(memory_that_was_given_back_is_not_touched),
		cmocka_unit_test(stores_reach_memory_as_the_model_says),
		cmocka_unit_test(epochs_begin_with_the_oldest_store),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
