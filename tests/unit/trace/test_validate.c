#include "unit.h"

#include "support_bundle.h"
#include "trace/bundle/validate.h"

static struct trace_bundle b;

static int setup(void **state)
{
	memset(&b, 0, sizeof(b));
	support_bundle_fill(&b);
	return 0;
}

static int teardown(void **state)
{
	trace_bundle_fini(&b);
	return 0;
}

static int validate_all(struct err *e)
{
	struct trace_validate v;
	int rc = trace_validate_parts(&b, e);

	if (rc)
		return rc;
	trace_validate_init(&v, &b);
	for (size_t i = 0; i < b.events.count && !rc; i++)
		rc = trace_validate_event(&v, &b.events.items[i], e);
	trace_validate_fini(&v);
	return rc;
}

/* Gives a field another value for the length of one check. */
#define refused_with(field, value, words)                                                          \
	do {                                                                                       \
		__typeof__(field) kept = (field);                                                  \
		struct err why = ERR_INIT;                                                         \
		(field) = (value);                                                                 \
		assert_error(validate_all(&why), ERR_FORMAT, why);                                 \
		assert_contains(why.text, (words));                                                \
		(field) = kept;                                                                    \
	} while (0)

static void the_sample_is_valid(void **state)
{
	struct err e = ERR_INIT;

	assert_ok(validate_all(&e), e);
}

static void thread_numbers_index_the_table(void **state)
{
	refused_with(b.threads.count, (size_t)0, "0 threads");
	refused_with(b.threads.items[1].tid, 2, "entry 1");
	refused_with(b.threads.items[1].parent, 1, "entry 1");
	refused_with(b.threads.items[1].waits_for, 3, "waits for thread 3");
	refused_with(b.events.items[4].tid, 3, "thread 3 of 3");
	refused_with(b.events.items[1].aux, 7, "thread 7 of 3");
	refused_with(b.schedule.items[0].tid, 3, "thread 3 of 3");
	refused_with(b.schedule.items[0].tid, THREAD_NONE, "names thread");
	refused_with(b.outcome.failure.tid, 3, "unknown thread");
}

static void site_numbers_are_below_the_count(void **state)
{
	refused_with(b.events.items[4].site, 5, "site 5 of 5");
	refused_with(b.threads.items[1].create_site, 5, "unknown site");
	refused_with(b.threads.items[1].held[0].site, 9, "unknown object");
	refused_with(b.outcome.failure.site, 5, "unknown site");
	refused_with(b.sites.items[4].id, 5, "out of place");
	refused_with(b.sites.items[4].id, 3, "out of place");
}

static void enumerations_exist(void **state)
{
	refused_with(b.meta.strategy, STRATEGY_MIX + 1, "strategy");
	refused_with(b.meta.model, 3, "memory model");
	refused_with(b.meta.engine, 4, "engine");
	refused_with(b.meta.wire_version, 0, "version 0");
	refused_with(b.threads.items[0].state, 6, "state");
	refused_with(b.threads.items[0].pending_kind, 200, "state");
	refused_with(b.events.items[4].kind, 10, "kind 10");
	refused_with(b.events.items[4].kind, 0, "kind 0");
	refused_with(b.events.items[4].kind, 255, "kind 255");
	refused_with(b.sites.items[0].kind, 255, "kind 255");
	refused_with(b.schedule.items[0].kind, 0, "choice 0");
	refused_with(b.schedule.items[0].kind, 5, "choice 0");
	refused_with(b.schedule.items[0].zero, 1, "choice 0");
	refused_with(b.schedule.items[0].arg, 0, "choice 0");
	refused_with(b.outcome.failure.kind, 77, "unknown kind");
	refused_with(b.outcome.outcome, 77, "unknown kind");
}

static void failure_and_outcome_agree(void **state)
{
	refused_with(b.outcome.outcome, OUTCOME_CLEAN, "contradict");
	refused_with(b.outcome.failure.kind, FAILURE_NONE, "contradict");
}

static void operations_of_a_thread_are_in_order(void **state)
{
	struct err e = ERR_INIT;

	/* events[5] and events[4] are operations 2 and 1 of thread 1. */
	refused_with(b.events.items[5].tix, 1, "out of order");
	/* A commit may come late under TSO, not under SC. */
	b.events.items[8].tix = 1;
	assert_ok(validate_all(&e), e);
	b.events.items[8].tix = 3;
	refused_with(b.meta.model, MODEL_SC, "out of order");
	/* Gaps are fine, also up to the largest number. */
	b.events.items[9].tix = 1000;
	b.events.items[10].tix = UINT32_MAX;
	assert_ok(validate_all(&e), e);
}

static void newer_events_are_a_matter_of_version(void **state)
{
	struct err e = ERR_INIT;

	b.meta.wire_version = WIRE_VERSION + 1;
	assert_error(validate_all(&e), ERR_VERSION, e);
}

static void unterminated_texts_are_refused(void **state)
{
	memset(b.threads.items[0].name, 'x', sizeof(b.threads.items[0].name));
	struct err e = ERR_INIT;
	assert_error(validate_all(&e), ERR_FORMAT, e);
	memset(b.threads.items[0].name, 0, 1);
	assert_ok(validate_all(&e), e);
	memset(b.outcome.failure.text, 'x', sizeof(b.outcome.failure.text));
	assert_error(validate_all(&e), ERR_FORMAT, e);
}

#define test(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		test(the_sample_is_valid),
		test(thread_numbers_index_the_table),
		test(site_numbers_are_below_the_count),
		test(enumerations_exist),
		test(failure_and_outcome_agree),
		test(operations_of_a_thread_are_in_order),
		test(newer_events_are_a_matter_of_version),
		test(unterminated_texts_are_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
