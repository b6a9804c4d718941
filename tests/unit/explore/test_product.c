/* The search over threads that were learned from executions made by hand. */
#include "unit.h"

#include "explore/learn/product.h"
#include "support_events.h"

#define X 0x1000
#define LOCK 0x3000

struct seen {
	struct product_source base; /* first: the search hands it to learn() */
	unsigned asked, races, found;
};

static int learn(struct product_source *base, const struct model_schedule *paths, size_t n,
		 struct err *e)
{
	struct seen *s = (struct seen *)base;

	/* The first question is for any execution at all. */
	s->asked += n == 1 && paths[0].count == 0 ? 0 : (unsigned)n;
	return s->asked ? PRODUCT_STOP : 0;
}

static int raced(void *arg, const struct product_race *r)
{
	struct seen *s = arg;

	s->races++;
	return 0;
}

static int found(void *arg, const struct product_finding *f)
{
	struct seen *s = arg;

	s->found++;
	return 0;
}

static int search(struct events *f, struct seen *s, struct product_stats *stats)
{
	struct product_opts o = {.model = MODEL_SC,
				 .preemptions = -1,
				 .races = true,
				 .found = found,
				 .raced = raced,
				 .arg = s};

	*s = (struct seen){.base = {&f->l, learn}};
	memset(stats, 0, sizeof(*stats));
	return product_search(&s->base, &o, stats, &f->e);
}

static void locked(struct events *f, bool lock, uint16_t tid, uint8_t kind, uint64_t value)
{
	if (lock)
		events_add(f, tid, EVENT_LOCK, LOCK, 0, 1);
	events_add(f, tid, kind, X, value, 0);
	if (lock)
		events_add(f, tid, EVENT_UNLOCK, LOCK, 0, 0);
}

/* T1 writes 1 where main reads; one of them comes first. */
static void execution(struct events *f, bool lock, bool writer_first)
{
	events_clear(f);
	events_add(f, 0, EVENT_THREAD_BEGIN, 0, 0, THREAD_NONE);
	events_add(f, 0, EVENT_WRITE, X, 0, 0);
	events_add(f, 0, EVENT_THREAD_CREATE, 0, 0, 1);
	if (!writer_first)
		locked(f, lock, 0, EVENT_READ, 0);
	events_add(f, 1, EVENT_THREAD_BEGIN, 0, 0, 0);
	locked(f, lock, 1, EVENT_WRITE, 1);
	events_add(f, 1, EVENT_THREAD_END, 0, 0, 0);
	if (writer_first)
		locked(f, lock, 0, EVENT_READ, 1);
	events_add(f, 0, EVENT_EXIT, 0, 0, 0);
}

static void learn_both(struct events *f, bool lock)
{
	events_begin(f);
	execution(f, lock, true);
	events_prepare(f);
	assert_ok(events_take(f), f->e);
	execution(f, lock, false);
	assert_ok(events_take(f), f->e);
}

static void both_values_are_two_states_and_all_there_is(void **state)
{
	struct product_stats stats;
	struct events f;
	struct seen s;

	learn_both(&f, false);
	assert_ok(search(&f, &s, &stats), f.e);
	assert_true(stats.complete);
	assert_int_equal(stats.states, 2);
	assert_int_equal(s.asked, 0);
	assert_int_equal(s.found, 0);
	assert_true(s.races > 0);
	events_end(&f);
}

static void a_lock_around_both_leaves_the_states_and_no_race(void **state)
{
	struct product_stats stats;
	struct events f;
	struct seen s;

	learn_both(&f, true);
	assert_ok(search(&f, &s, &stats), f.e);
	assert_true(stats.complete);
	assert_int_equal(stats.states, 2);
	assert_int_equal(s.races, 0);
	events_end(&f);
}

static void a_value_that_was_never_read_is_asked_for(void **state)
{
	struct product_stats stats;
	struct events f;
	struct seen s;

	events_begin(&f);
	execution(&f, false, true);
	events_prepare(&f);
	assert_ok(events_take(&f), f.e);
	search(&f, &s, &stats);
	assert_true(s.asked > 0);
	assert_false(stats.complete);
	events_end(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(both_values_are_two_states_and_all_there_is),
		cmocka_unit_test(a_lock_around_both_leaves_the_states_and_no_race),
		cmocka_unit_test(a_value_that_was_never_read_is_asked_for),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
