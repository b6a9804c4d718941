/* One guest process through jobs, good and bad. */
#include "unit.h"

#include <unistd.h>

#include "support_fake.h"

struct fixture {
	struct run_program program;
	struct run_guest_opts opts;
	struct run_guest *guest;
	struct run_result result;
	struct err err;
};

static void begin(struct fixture *f, const char *behaviour)
{
	*f = (struct fixture){.result = RUN_RESULT_INIT};
	fake_opts(&f->opts, &f->program, behaviour);
}

static int job(struct fixture *f, uint64_t seed, uint64_t runs, uint32_t flags)
{
	struct wire_job j = {.engine = ENGINE_RESET, .seed = seed, .runs = runs, .flags = flags};

	if (!f->guest)
		assert_int_equal(run_guest_new(&f->opts, &f->guest, &f->err), 0);
	return run_guest_job(f->guest, &j, NULL, &f->result, &f->err);
}

static void end(struct fixture *f)
{
	run_guest_free(f->guest);
	run_result_free(&f->result);
	run_program_fini(&f->program);
}

static void jobs_follow_each_other_in_one_process(void **state)
{
	struct fixture f;
	uint32_t pid;

	begin(&f, "clean");
	assert_int_equal(job(&f, 7, 10, 0), 0);
	assert_int_equal(f.result.verdict, RUN_CLEAN);
	assert_int_equal(f.result.wire.runs, 10);
	assert_string_equal(f.result.output, "run of seed 7\n");
	pid = run_guest_ctl(f.guest)->block->guest_pid;
	assert_int_equal(job(&f, 8, 20, 0), 0);
	assert_int_equal(f.result.wire.runs, 20);
	assert_string_equal(f.result.output, "run of seed 8\n");
	assert_int_equal(run_guest_ctl(f.guest)->block->guest_pid, pid);
	assert_true(pid > 0);
	end(&f);
}

static void a_job_once_ends_with_its_process(void **state)
{
	struct fixture f;

	begin(&f, "clean");
	assert_int_equal(job(&f, 1, 1, JOB_ONCE), 0);
	assert_int_equal(f.result.verdict, RUN_CLEAN);
	assert_int_equal(job(&f, 1, 1, JOB_ONCE), 0);
	assert_int_equal(f.result.verdict, RUN_CLEAN);
	end(&f);
}

static void nothing_the_guest_writes_is_believed(void **state)
{
	struct fixture f;

	begin(&f, "garbage");
	assert_int_equal(job(&f, 1, 1, 0), 0);
	/* A failure of an unknown kind is no failure. */
	assert_int_equal(f.result.verdict, RUN_TROUBLE);
	assert_int_equal(f.result.wire.failure.kind, FAILURE_NONE);
	assert_true(f.result.wire.failure.stack_depth <= WIRE_MAX_STACK);
	assert_int_equal(f.result.threads.count, WIRE_MAX_THREADS);
	assert_int_equal(f.result.modules.count, WIRE_MAX_MODULES);
	assert_int_equal(f.result.notes.count, WIRE_MAX_NOTES);
	assert_true(f.result.choices.count <= 1 << 12);
	assert_true(f.result.events.count <= 1 << 12);
	assert_true(strlen(f.result.notes.items[0].text) < WIRE_NOTE_BYTES);
	assert_true(strlen(f.result.modules.items[0].path) < WIRE_PATH_BYTES);
	assert_true(f.result.threads.items[0].held_count <= WIRE_MAX_HELD);
	end(&f);
}

static void a_death_is_trouble_and_the_next_job_starts_anew(void **state)
{
	struct fixture f;

	begin(&f, "dies");
	for (int i = 0; i < 2; i++) {
		assert_int_equal(job(&f, 1, 1, 0), 0);
		assert_int_equal(f.result.verdict, RUN_TROUBLE);
		assert_non_null(strstr(f.result.reason, "killed by signal 11"));
	}
	end(&f);
}

static void a_program_that_never_gets_ready_is_an_error_with_its_words(void **state)
{
	struct fixture f;

	begin(&f, "early");
	assert_int_equal(job(&f, 1, 1, 0), ERR_GUEST);
	assert_non_null(strstr(f.err.text, "status 3"));
	assert_non_null(strstr(f.err.text, "cannot find my library"));
	end(&f);
}

static void a_hang_names_the_system_call(void **state)
{
	struct fixture f;

	begin(&f, "pauses");
	f.opts.hang_ns = 200000000;
	assert_int_equal(job(&f, 1, 1, 0), 0);
	assert_int_equal(f.result.verdict, RUN_HUNG);
	assert_non_null(strstr(f.result.reason, "blocked in pause()"));
	end(&f);
}

static void a_hang_names_the_descriptor(void **state)
{
	struct fixture f;
	int ends[2];

	begin(&f, "reads");
	assert_int_equal(pipe(ends), 0);
	f.opts.in_fd = ends[0];
	f.opts.hang_ns = 200000000;
	assert_int_equal(job(&f, 1, 1, 0), 0);
	assert_int_equal(f.result.verdict, RUN_HUNG);
	assert_non_null(strstr(f.result.reason, "blocked in read() of descriptor 0 (pipe:"));
	close(ends[0]);
	close(ends[1]);
	end(&f);
}

static void a_long_computation_is_called_one(void **state)
{
	struct fixture f;

	begin(&f, "spins");
	f.opts.hang_ns = 200000000;
	assert_int_equal(job(&f, 1, 1, 0), 0);
	assert_int_equal(f.result.verdict, RUN_HUNG);
	assert_non_null(strstr(f.result.reason, "computes without reaching"));
	end(&f);
}

static void the_caller_can_stop_a_job(void **state)
{
	static volatile uint64_t stopped = 1;
	struct limit limit = {.stopped_ns = &stopped};
	struct fixture f;

	begin(&f, "pauses");
	f.opts.limit = &limit;
	assert_int_equal(job(&f, 1, 1, 0), 0);
	assert_int_equal(f.result.verdict, RUN_STOPPED);
	end(&f);
}

static void a_schedule_larger_than_its_area_is_refused(void **state)
{
	struct fixture f;
	struct wire_job j = {.runs = 1, .schedule_count = 1 << 20};

	begin(&f, "clean");
	assert_int_equal(run_guest_new(&f.opts, &f.guest, &f.err), 0);
	assert_int_equal(run_guest_job(f.guest, &j, NULL, &f.result, &f.err), ERR_LIMIT);
	end(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(jobs_follow_each_other_in_one_process),
		cmocka_unit_test(a_job_once_ends_with_its_process),
		cmocka_unit_test(nothing_the_guest_writes_is_believed),
		cmocka_unit_test(a_death_is_trouble_and_the_next_job_starts_anew),
		cmocka_unit_test(a_program_that_never_gets_ready_is_an_error_with_its_words),
		cmocka_unit_test(a_hang_names_the_system_call),
		cmocka_unit_test(a_hang_names_the_descriptor),
		cmocka_unit_test(a_long_computation_is_called_one),
		cmocka_unit_test(the_caller_can_stop_a_job),
		cmocka_unit_test(a_schedule_larger_than_its_area_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
