/*
 * Events of an execution as steps: what a thread did to each kind of object, and what the rest of
 * the program had an influence on as the outcome that leads to the next node.
 */
#include "unit.h"

#include "support_events.h"

#define X 0x1000
#define LOCK 0x3000
#define COND 0x4000
#define SEM 0x5000
#define RW 0x6000
#define ONCE 0x7000
#define MEET 0x8000

#define GOES_ON UINT64_MAX /* no outcome: the next step is in the same node */

struct expected {
	uint8_t op;
	uint64_t outcome;
};

/* main begins T1, which does what is between begin() and take(). */
static void begin(struct events *f)
{
	events_begin(f);
	events_add(f, 0, EVENT_THREAD_BEGIN, 0, 0, THREAD_NONE);
	events_add(f, 0, EVENT_WRITE, X, 5, 0);
	events_add(f, 0, EVENT_THREAD_CREATE, 0, 0, 1);
	events_add(f, 1, EVENT_THREAD_BEGIN, 0, 0, 0);
}

static int take(struct events *f)
{
	events_prepare(f);
	return events_take(f);
}

/* The steps of T1 behind its beginning are these, along these outcomes, and no more. */
static void assert_steps(const struct events *f, const struct expected *all, size_t n)
{
	uint32_t node = f->l.threads.items[1].root, pos = 0;

	assert_int_equal(learn_at(&f->l, (struct learn_cursor){node, pos++})->op, LEARN_BEGIN);
	for (size_t i = 0; i < n; i++) {
		const struct learn_step *s = learn_at(&f->l, (struct learn_cursor){node, pos});

		assert_non_null(s);
		assert_int_equal(s->op, all[i].op);
		pos++;
		if (all[i].outcome == GOES_ON)
			continue;
		assert_null(learn_at(&f->l, (struct learn_cursor){node, pos}));
		node = learn_look(&f->l, node, all[i].outcome);
		assert_int_not_equal(node, 0);
		pos = 0;
	}
	assert_null(learn_at(&f->l, (struct learn_cursor){node, pos}));
}

#define ASSERT_STEPS(f, ...)                                                                       \
	assert_steps(f, (const struct expected[]){__VA_ARGS__},                                    \
		     sizeof((const struct expected[]){__VA_ARGS__}) / sizeof(struct expected))

static void a_lock_has_no_outcome_an_attempt_has(void **state)
{
	struct events f;

	begin(&f);
	events_add(&f, 1, EVENT_LOCK, LOCK, 0, 1);
	events_add(&f, 1, EVENT_TRYLOCK, LOCK, 16, 0); /* EBUSY: its own */
	events_add(&f, 1, EVENT_UNLOCK, LOCK, 0, 0);
	events_add(&f, 1, EVENT_TRYLOCK, LOCK, 0, 1);
	assert_ok(take(&f), f.e);
	ASSERT_STEPS(&f, {LEARN_LOCK, GOES_ON}, {LEARN_TRYLOCK, LEARN_OWN}, {LEARN_UNLOCK, GOES_ON},
		     {LEARN_TRYLOCK, LEARN_FREE_LOCK});
	events_end(&f);
}

static void an_attempt_at_the_lock_of_another_fails(void **state)
{
	struct events f;

	begin(&f);
	events_add(&f, 0, EVENT_LOCK, LOCK, 0, 1);
	events_add(&f, 1, EVENT_TRYLOCK, LOCK, 16, 0);
	assert_ok(take(&f), f.e);
	ASSERT_STEPS(&f, {LEARN_TRYLOCK, LEARN_OTHERS});
	events_end(&f);
}

static void a_wait_is_two_steps_and_the_second_takes_the_mutex(void **state)
{
	struct events f;

	begin(&f);
	events_add(&f, 1, EVENT_LOCK, LOCK, 0, 1);
	events_add(&f, 1, EVENT_COND_WAIT, COND, LOCK, 0);
	events_add(&f, 0, EVENT_COND_SIGNAL, COND, 0, 1);
	events_add(&f, 1, EVENT_COND_WAKE, COND, LOCK, 0);
	events_add(&f, 1, EVENT_UNLOCK, LOCK, 0, 0);
	assert_ok(take(&f), f.e);
	ASSERT_STEPS(&f, {LEARN_LOCK, GOES_ON}, {LEARN_WAIT, GOES_ON}, {LEARN_WAKE, GOES_ON},
		     {LEARN_UNLOCK, GOES_ON});
	events_end(&f);
}

static void readers_and_writers_are_told_apart(void **state)
{
	struct events f;

	begin(&f);
	events_add(&f, 1, EVENT_RDLOCK, RW, 0, 0);
	events_add(&f, 1, EVENT_RWUNLOCK, RW, 0, 0);
	events_add(&f, 1, EVENT_WRLOCK, RW, 0, 0);
	events_add(&f, 1, EVENT_RWUNLOCK, RW, 0, 0);
	events_add(&f, 1, EVENT_TRYRDLOCK, RW, 0, 0);
	assert_ok(take(&f), f.e);
	ASSERT_STEPS(&f, {LEARN_RDLOCK, GOES_ON}, {LEARN_RWUNLOCK, GOES_ON}, {LEARN_WRLOCK, GOES_ON},
		     {LEARN_RWUNLOCK, GOES_ON}, {LEARN_TRYRDLOCK, LEARN_FREE_LOCK});
	events_end(&f);
}

static void a_semaphore_says_what_it_began_with(void **state)
{
	struct events f;

	begin(&f);
	events_add(&f, 1, EVENT_SEM_WAIT, SEM, 2, 0);
	events_add(&f, 1, EVENT_SEM_POST, SEM, 3, 0);
	assert_ok(take(&f), f.e);
	ASSERT_STEPS(&f, {LEARN_TAKE, GOES_ON}, {LEARN_GIVE, GOES_ON});
	for (size_t i = 0; i < f.l.objects.count; i++)
		if (f.l.objects.items[i].kind == LEARN_SEMAPHORE)
			assert_int_equal(f.l.objects.items[i].first, 3);
	events_end(&f);
}

static void once_begins_or_is_passed(void **state)
{
	struct events f;

	begin(&f);
	events_add(&f, 1, EVENT_ONCE_BEGIN, ONCE, 0, 0);
	events_add(&f, 1, EVENT_ONCE_END, ONCE, 1, 0);
	events_add(&f, 1, EVENT_ONCE_PASS, ONCE, 0, 0);
	assert_ok(take(&f), f.e);
	ASSERT_STEPS(&f, {LEARN_ONCE, 0}, {LEARN_ONCE_END, GOES_ON}, {LEARN_ONCE, 1});
	events_end(&f);
}

static void a_barrier_knows_how_many_it_is_for(void **state)
{
	struct events f;

	begin(&f);
	events_add(&f, 0, EVENT_BARRIER_ARRIVE, MEET, UINT64_C(2) << 32, 1);
	events_add(&f, 1, EVENT_BARRIER_ARRIVE, MEET, UINT64_C(2) << 32, 2);
	f.events.items[f.events.count - 1].size = SYNC_LAST;
	events_add(&f, 1, EVENT_BARRIER_LEAVE, MEET, 0, 0);
	assert_ok(take(&f), f.e);
	ASSERT_STEPS(&f, {LEARN_ARRIVE, 1}, {LEARN_LEAVE, GOES_ON});
	for (size_t i = 0; i < f.l.objects.count; i++)
		if (f.l.objects.items[i].kind == LEARN_BARRIER)
			assert_int_equal(f.l.objects.items[i].first, 2);
	events_end(&f);
}

static void what_a_read_returns_is_its_outcome(void **state)
{
	struct events f;

	begin(&f);
	events_add(&f, 0, EVENT_WRITE, X, 7, 0);
	events_add(&f, 1, EVENT_READ, X, 7, 0);
	events_add(&f, 1, EVENT_WRITE, X, 8, 0);
	events_add(&f, 1, EVENT_THREAD_END, 0, 0, 0);
	assert_ok(take(&f), f.e);
	ASSERT_STEPS(&f, {LEARN_READ, 7}, {LEARN_WRITE, GOES_ON}, {LEARN_END, GOES_ON});
	events_end(&f);
}

static void what_is_not_modelled_is_said(void **state)
{
	struct events f;

	begin(&f);
	events_add(&f, 1, EVENT_SLEEP, 0, 1, 0);
	events_add(&f, 0, EVENT_THREAD_CANCEL, 0, 0, 1);
	assert_int_equal(take(&f), ERR_UNSUPPORTED);
	assert_non_null(strstr(f.e.text, "cancellation"));
	events_end(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_lock_has_no_outcome_an_attempt_has),
		cmocka_unit_test(an_attempt_at_the_lock_of_another_fails),
		cmocka_unit_test(a_wait_is_two_steps_and_the_second_takes_the_mutex),
		cmocka_unit_test(readers_and_writers_are_told_apart),
		cmocka_unit_test(a_semaphore_says_what_it_began_with),
		cmocka_unit_test(once_begins_or_is_passed),
		cmocka_unit_test(a_barrier_knows_how_many_it_is_for),
		cmocka_unit_test(what_a_read_returns_is_its_outcome),
		cmocka_unit_test(what_is_not_modelled_is_said),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
