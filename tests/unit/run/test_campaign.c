/* Campaigns, step-downs and simplification against a simulated program. */
#include "unit.h"

#include <stdio.h>

#include "run/fleet/campaign.h"
#include "run/confirm/simplify.h"
#include "support_fake.h"

struct fixture {
	struct run_program program;
	struct run_engine engine;
	struct run_campaign_opts opts;
	struct run_campaign campaign;
	struct err err;
	unsigned said;
	char reason[256];
};

static void say(void *arg, const char *reason)
{
	struct fixture *f = arg;

	f->said++;
	snprintf(f->reason, sizeof(f->reason), "%s", reason);
}

static void begin(struct fixture *f, const char *behaviour, enum wire_engine engine)
{
	memset(f, 0, sizeof(*f));
	fake_opts(&f->opts.guest, &f->program, behaviour);
	run_engine_init(&f->engine, engine, say, f);
	f->opts.engine = &f->engine;
	f->opts.guests = 1;
}

static int campaign(struct fixture *f, uint32_t strategy, uint64_t runs)
{
	struct run_strategy_opts o = {{.strategy = strategy, .seed = 1, .runs = runs},
				      f->opts.guests};
	int rc;

	f->opts.strategy = strategy == STRATEGY_DFS ? run_strategy_dfs(&o) : run_strategy_seeds(&o);
	rc = run_campaign(&f->campaign, &f->opts, &f->err);
	run_strategy_free(f->opts.strategy);
	return rc;
}

static void end(struct fixture *f)
{
	run_campaign_fini(&f->campaign);
	run_engine_fini(&f->engine);
	run_program_fini(&f->program);
}

static void every_run_of_a_clean_program_is_counted(void **state)
{
	struct fixture f;

	for (unsigned guests = 1; guests <= 3; guests++) {
		begin(&f, "clean", ENGINE_FORK);
		f.opts.guests = guests;
		assert_int_equal(campaign(&f, STRATEGY_RANDOM, 1001), 0);
		assert_int_equal(f.campaign.stats.runs, 1001);
		assert_int_equal(f.campaign.findings.count, 0);
		end(&f);
	}
}

static uint64_t first_failing_seed(unsigned guests)
{
	struct fixture f;
	uint64_t seed;

	begin(&f, "sim", ENGINE_FORK);
	f.opts.guests = guests;
	assert_int_equal(campaign(&f, STRATEGY_RANDOM, 3000), 0);
	assert_int_equal(f.campaign.findings.count, 1);
	seed = f.campaign.findings.items[0]->job.seed;
	assert_int_equal(f.campaign.findings.items[0]->result.wire.failure.kind, FAILURE_ASSERT);
	end(&f);
	return seed;
}

static void the_first_failure_does_not_depend_on_the_number_of_guests(void **state)
{
	uint64_t seed = first_failing_seed(1);

	assert_int_equal(first_failing_seed(2), seed);
	assert_int_equal(first_failing_seed(4), seed);
}

static void keeping_on_counts_the_same_failure_once(void **state)
{
	struct fixture f;

	begin(&f, "sim", ENGINE_FORK);
	f.opts.keep_going = true;
	assert_int_equal(campaign(&f, STRATEGY_RANDOM, 500), 0);
	assert_int_equal(f.campaign.stats.runs, 500);
	assert_int_equal(f.campaign.findings.count, 1);
	assert_true(f.campaign.findings.items[0]->count > 1);
	assert_int_equal(f.campaign.findings.items[0]->count, f.campaign.stats.failures);
	end(&f);
}

static void stepping_down_is_said_once_and_loses_no_run(void **state)
{
	struct fixture f;

	begin(&f, "stepdown", ENGINE_AUTO);
	assert_int_equal(campaign(&f, STRATEGY_RANDOM, 100), 0);
	assert_int_equal(f.campaign.stats.runs, 100);
	assert_int_equal(f.said, 1);
	assert_string_equal(f.reason, "cannot undo a written file");
	assert_int_equal(run_engine_now(&f.engine), ENGINE_FORK);
	end(&f);
}

static void a_forced_engine_does_not_step_down(void **state)
{
	struct fixture f;

	begin(&f, "stepdown", ENGINE_RESET);
	assert_int_equal(campaign(&f, STRATEGY_RANDOM, 100), 0);
	assert_true(f.campaign.stats.in_trouble);
	assert_int_equal(f.campaign.stats.verdict, RUN_STEPDOWN);
	assert_string_equal(f.campaign.stats.reason, "a written file");
	end(&f);
}

static void a_search_goes_on_until_it_is_exhausted(void **state)
{
	struct fixture f;

	begin(&f, "dfs", ENGINE_FORK);
	assert_int_equal(campaign(&f, STRATEGY_DFS, 0), 0);
	assert_int_equal(f.campaign.stats.runs, 5);
	assert_true(f.campaign.stats.exhausted);
	end(&f);
}

static void limits_are_counted(void **state)
{
	struct fixture f;

	begin(&f, "limit", ENGINE_FORK);
	assert_int_equal(campaign(&f, STRATEGY_RR, 10), 0);
	assert_int_equal(f.campaign.stats.limits, 10);
	end(&f);
}

static void a_failing_schedule_loses_its_needless_switches(void **state)
{
	static const struct run_simplify_opts opts = RUN_SIMPLIFY_DEFAULT;
	struct run_simplify_stats stats;
	struct model_schedule schedule = VEC_INIT;
	struct run_result result = RUN_RESULT_INIT;
	struct run_finding *found;
	struct run_again again;
	struct fixture f;

	begin(&f, "sim", ENGINE_FORK);
	assert_int_equal(campaign(&f, STRATEGY_RANDOM, 3000), 0);
	found = f.campaign.findings.items[0];
	again = (struct run_again){.engine = &f.engine, .job = found->job};
	assert_int_equal(run_guest_new(&f.opts.guest, &again.guest, &f.err), 0);
	for (size_t i = 0; i < found->result.choices.count; i++)
		vec_push(&schedule, found->result.choices.items[i]);
	assert_int_equal(run_simplify(&again, &opts, found->key, &schedule, &stats, &f.err), 0);
	/* T0 to its window, T1 into it, T0 to its end: nothing shorter can fail. */
	assert_int_equal(run_schedule_segments(schedule.items, schedule.count), 3);
	assert_int_equal(
		run_confirm(&again, schedule.items, schedule.count, found->key, &result, &f.err),
		0);
	assert_true(result.events.count > 0);
	run_guest_free(again.guest);
	run_result_free(&result);
	vec_free(&schedule);
	end(&f);
}

static void a_schedule_that_does_not_fail_again_is_a_mismatch(void **state)
{
	struct wire_choice harmless[] = {{CHOICE_RUN, 0, 0, FAKE_OPS},
					 {CHOICE_RUN, 0, 1, FAKE_OPS}};
	struct run_result result = RUN_RESULT_INIT;
	struct run_again again;
	struct fixture f;

	begin(&f, "sim", ENGINE_FORK);
	again = (struct run_again){.engine = &f.engine};
	assert_int_equal(run_guest_new(&f.opts.guest, &again.guest, &f.err), 0);
	assert_int_equal(run_confirm(&again, harmless, 2, 1, &result, &f.err), ERR_MISMATCH);
	run_guest_free(again.guest);
	run_result_free(&result);
	end(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_run_of_a_clean_program_is_counted),
		cmocka_unit_test(the_first_failure_does_not_depend_on_the_number_of_guests),
		cmocka_unit_test(keeping_on_counts_the_same_failure_once),
		cmocka_unit_test(stepping_down_is_said_once_and_loses_no_run),
		cmocka_unit_test(a_forced_engine_does_not_step_down),
		cmocka_unit_test(a_search_goes_on_until_it_is_exhausted),
		cmocka_unit_test(limits_are_counted),
		cmocka_unit_test(a_failing_schedule_loses_its_needless_switches),
		cmocka_unit_test(a_schedule_that_does_not_fail_again_is_a_mismatch),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
