/* Guests side by side: who does what, and that everybody is waited for. */
#include "unit.h"

#include <stdatomic.h>

#include "run/fleet/fleet.h"
#include "support_fake.h"

struct seen {
	atomic_uint calls;
	struct run_guest *guest[8];
	pthread_t thread[8];
};

static void look(void *arg, unsigned number, struct run_guest *guest)
{
	struct seen *s = arg;

	s->guest[number] = guest;
	s->thread[number] = pthread_self();
	atomic_fetch_add(&s->calls, 1);
}

struct fixture {
	struct run_program program;
	struct run_guest_opts opts;
	struct run_fleet fleet;
	struct err e;
};

static void begin(struct fixture *f, struct run_guest *first, unsigned n)
{
	memset(f, 0, sizeof(*f));
	fake_opts(&f->opts, &f->program, "clean");
	assert_ok(run_fleet_init(&f->fleet, first, &f->opts, n, &f->e), f->e);
}

static void end(struct fixture *f)
{
	run_fleet_fini(&f->fleet);
	run_program_fini(&f->program);
}

static void each_guest_works_once_with_a_guest_of_its_own(void **state)
{
	struct fixture f;
	struct seen s = {0};

	begin(&f, NULL, 4);
	run_fleet_work(&f.fleet, 4, look, &s);
	assert_int_equal(s.calls, 4);
	for (int i = 0; i < 4; i++)
		for (int k = 0; k < i; k++)
			assert_ptr_not_equal(s.guest[i], s.guest[k]);
	end(&f);
}

static void a_guest_stays_with_its_thread_and_the_first_with_the_caller(void **state)
{
	struct fixture f;
	struct seen one = {0}, two = {0};

	begin(&f, NULL, 3);
	run_fleet_work(&f.fleet, 3, look, &one);
	run_fleet_work(&f.fleet, 3, look, &two);
	assert_true(pthread_equal(one.thread[0], pthread_self()));
	for (int i = 0; i < 3; i++) {
		assert_ptr_equal(one.guest[i], two.guest[i]);
		assert_true(pthread_equal(one.thread[i], two.thread[i]));
	}
	end(&f);
}

static void fewer_guests_than_there_are_may_work(void **state)
{
	struct fixture f;
	struct seen s = {0};

	begin(&f, NULL, 3);
	run_fleet_work(&f.fleet, 1, look, &s);
	assert_int_equal(s.calls, 1);
	assert_null(s.guest[1]);
	end(&f);
}

static void a_borrowed_guest_is_the_first_and_outlives_the_fleet(void **state)
{
	struct run_program program;
	struct run_guest_opts opts;
	struct run_guest *mine = NULL;
	struct err e = ERR_INIT;
	struct fixture f;
	struct seen s = {0};

	memset(&program, 0, sizeof(program));
	fake_opts(&opts, &program, "clean");
	assert_ok(run_guest_new(&opts, &mine, &e), e);
	begin(&f, mine, 2);
	run_fleet_work(&f.fleet, 2, look, &s);
	assert_ptr_equal(s.guest[0], mine);
	end(&f);
	assert_non_null(run_guest_ctl(mine));
	run_guest_free(mine);
	run_program_fini(&program);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_guest_works_once_with_a_guest_of_its_own),
		cmocka_unit_test(a_guest_stays_with_its_thread_and_the_first_with_the_caller),
		cmocka_unit_test(fewer_guests_than_there_are_may_work),
		cmocka_unit_test(a_borrowed_guest_is_the_first_and_outlives_the_fleet),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
