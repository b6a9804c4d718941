/* Executions made by hand, taken over into the trees. */
#include "unit.h"

#include "support_events.h"

#define X 0x1000 /* shared */
#define P 0x2000 /* of main alone */
#define LOCK 0x3000

/* main puts 5 into X, begins T1, which writes x; main then reads seen. */
static void execution(struct events *f, uint64_t x, uint64_t seen)
{
	events_clear(f);
	events_add(f, 0, EVENT_THREAD_BEGIN, 0, 0, THREAD_NONE);
	events_add(f, 0, EVENT_WRITE, X, 5, 0);
	events_add(f, 0, EVENT_WRITE, P, 1, 0);
	events_add(f, 0, EVENT_THREAD_CREATE, 0, 0, 1);
	events_add(f, 1, EVENT_THREAD_BEGIN, 0, 0, 0);
	events_add(f, 1, EVENT_LOCK, LOCK, 0, 1);
	events_add(f, 1, EVENT_WRITE, X, x, 0);
	events_add(f, 1, EVENT_UNLOCK, LOCK, 0, 0);
	events_add(f, 0, EVENT_READ, X, seen, 0);
	events_add(f, 0, EVENT_READ, P, 1, 0);
}

static const struct learn_step *step_of(const struct events *f, uint32_t thread, uint32_t pos)
{
	return learn_at(&f->l, (struct learn_cursor){f->l.threads.items[thread].root, pos});
}

static unsigned count_steps(const struct events *f, uint32_t thread, uint8_t op)
{
	unsigned n = 0;

	for (uint32_t i = 0; step_of(f, thread, i); i++)
		n += step_of(f, thread, i)->op == op;
	return n;
}

static void only_what_threads_share_becomes_steps(void **state)
{
	struct events f;

	events_begin(&f);
	execution(&f, 6, 6);
	events_prepare(&f);
	assert_ok(events_take(&f), f.e);
	assert_int_equal(f.l.threads.count, 2);
	assert_int_equal(count_steps(&f, 0, LEARN_FORK), 1);
	assert_int_equal(count_steps(&f, 0, LEARN_WRITE), 0); /* before the first thread */
	assert_int_equal(count_steps(&f, 0, LEARN_READ), 1);  /* P is nobody else's */
	assert_int_equal(count_steps(&f, 1, LEARN_WRITE), 1);
	assert_int_equal(count_steps(&f, 1, LEARN_LOCK), 1);
	assert_int_equal(count_steps(&f, 1, LEARN_UNLOCK), 1);
	events_end(&f);
}

static void what_main_did_alone_is_the_initial_memory(void **state)
{
	struct events f;

	events_begin(&f);
	execution(&f, 6, 6);
	events_prepare(&f);
	assert_ok(events_take(&f), f.e);
	assert_int_equal(f.l.memory.count, 4);
	assert_int_equal(f.l.memory.items[0], 5);
	events_end(&f);
}

static void another_value_read_is_another_branch(void **state)
{
	struct events f;
	uint32_t root;

	events_begin(&f);
	execution(&f, 6, 6);
	events_prepare(&f);
	assert_ok(events_take(&f), f.e);
	/* The same with main first: it reads what it put there itself. */
	events_clear(&f);
	events_add(&f, 0, EVENT_THREAD_BEGIN, 0, 0, THREAD_NONE);
	events_add(&f, 0, EVENT_WRITE, X, 5, 0);
	events_add(&f, 0, EVENT_WRITE, P, 1, 0);
	events_add(&f, 0, EVENT_THREAD_CREATE, 0, 0, 1);
	events_add(&f, 0, EVENT_READ, X, 5, 0);
	events_add(&f, 0, EVENT_READ, P, 1, 0);
	assert_ok(events_take(&f), f.e);
	root = f.l.threads.items[0].root;
	assert_int_not_equal(learn_look(&f.l, root, 5), 0);
	assert_int_not_equal(learn_look(&f.l, root, 6), 0);
	assert_int_equal(learn_look(&f.l, root, 7), 0);
	events_end(&f);
}

static void a_value_that_nobody_wrote_is_refused(void **state)
{
	struct events f;

	events_begin(&f);
	execution(&f, 6, 6);
	events_prepare(&f);
	assert_ok(events_take(&f), f.e);
	execution(&f, 6, 99);
	assert_int_equal(events_take(&f), ERR_MISMATCH);
	assert_non_null(strstr(f.e.text, "not instrumented"));
	events_end(&f);
}

static void a_thread_that_did_something_else_is_refused(void **state)
{
	struct events f;

	events_begin(&f);
	execution(&f, 6, 6);
	events_prepare(&f);
	assert_ok(events_take(&f), f.e);
	execution(&f, 7, 7); /* T1 has read nothing that could tell it to */
	assert_int_equal(events_take(&f), ERR_MISMATCH);
	events_end(&f);
}

static void events_of_a_thread_that_never_began_are_refused(void **state)
{
	struct events f;

	events_begin(&f);
	execution(&f, 6, 6);
	events_prepare(&f);
	events_add(&f, 3, EVENT_READ, X, 6, 0);
	assert_int_equal(events_take(&f), ERR_FORMAT);
	events_end(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(only_what_threads_share_becomes_steps),
		cmocka_unit_test(what_main_did_alone_is_the_initial_memory),
		cmocka_unit_test(another_value_read_is_another_branch),
		cmocka_unit_test(a_value_that_nobody_wrote_is_refused),
		cmocka_unit_test(a_thread_that_did_something_else_is_refused),
		cmocka_unit_test(events_of_a_thread_that_never_began_are_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
