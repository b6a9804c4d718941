/* Late stores and broken fences in executions written by hand. */
#include "unit.h"

#include "model/delay.h"

enum { X = 16, Y = 32, Z = 48 };

static struct wire_event event(uint8_t kind, uint16_t tid, uint32_t tix, uint64_t addr)
{
	return (struct wire_event){.kind = kind,
				   .tid = tid,
				   .tix = tix,
				   .addr = addr,
				   .size = 4,
				   .site = (uint32_t)tid * 100 + tix};
}

#define ISSUE(tid, tix, addr) event(EVENT_ISSUE, tid, tix, addr)
#define COMMIT(tid, tix, addr) event(EVENT_WRITE, tid, tix, addr)
#define LOAD(tid, tix, addr) event(EVENT_READ, tid, tix, addr)

#define find(out, events) model_delays_find(out, events, sizeof(events) / sizeof((events)[0]))
#define broken(out, events) model_fences_broken(out, events, sizeof(events) / sizeof((events)[0]))

static void stores_in_time_are_not_late(void **state)
{
	const struct wire_event events[] = {
		ISSUE(0, 0, X), COMMIT(0, 0, X), LOAD(0, 1, Y),
		ISSUE(0, 2, Y), COMMIT(0, 2, Y), LOAD(1, 0, X),
	};
	struct model_delays d = VEC_INIT;
	struct model_fences f = VEC_INIT;

	find(&d, events);
	broken(&f, events);
	assert_int_equal(d.count, 0);
	assert_int_equal(model_delays_weight(&d), 0);
	assert_int_equal(f.count, 0);
	vec_free(&d);
	vec_free(&f);
}

static void a_store_behind_a_load_is_late(void **state)
{
	const struct wire_event events[] = {
		ISSUE(0, 0, X), LOAD(0, 1, Y), LOAD(1, 0, X), LOAD(0, 2, Z), COMMIT(0, 0, X),
	};
	struct model_delays d = VEC_INIT;
	struct model_fences f = VEC_INIT;

	find(&d, events);
	assert_int_equal(d.count, 1);
	assert_int_equal(d.items[0].issue, 0);
	assert_int_equal(d.items[0].past_load, 1);
	assert_int_equal(d.items[0].seen, 2);
	assert_int_equal(d.items[0].commit, 4);
	assert_int_equal(d.items[0].loads, 2);
	assert_true(d.items[0].past_store == MODEL_DELAY_NONE);
	broken(&f, events);
	assert_int_equal(f.count, 1);
	assert_int_equal(f.items[0].kind, FENCE_FULL);
	assert_int_equal(f.items[0].site, 0);
	vec_free(&d);
	vec_free(&f);
}

static void a_load_of_the_own_store_does_not_make_it_late(void **state)
{
	const struct wire_event events[] = {ISSUE(0, 0, X), LOAD(0, 1, X), COMMIT(0, 0, X)};
	struct model_delays d = VEC_INIT;

	find(&d, events);
	assert_int_equal(d.count, 0);
	vec_free(&d);
}

/* x, y issued; z overtakes both; the other thread reads z. */
static void what_others_read_is_what_overtook(void **state)
{
	const struct wire_event events[] = {
		ISSUE(0, 0, X),	 ISSUE(0, 1, Y), ISSUE(0, 2, Z), COMMIT(0, 1, Y),
		COMMIT(0, 2, Z), LOAD(1, 0, Z),	 LOAD(1, 1, X),	 COMMIT(0, 0, X),
	};
	struct model_delays d = VEC_INIT;
	struct model_fences f = VEC_INIT;

	find(&d, events);
	assert_int_equal(d.count, 1);
	assert_int_equal(d.items[0].issue, 0);
	assert_int_equal(d.items[0].past_store, 4);
	assert_int_equal(d.items[0].stores, 2);
	assert_int_equal(d.items[0].seen, 6);
	broken(&f, events);
	/* Releases at z and y, full fences behind y and x. */
	assert_int_equal(f.count, 4);
	assert_int_equal(f.items[0].kind, FENCE_RELEASE);
	assert_int_equal(f.items[0].site, 2);
	assert_int_equal(f.items[1].kind, FENCE_RELEASE);
	assert_int_equal(f.items[1].site, 1);
	assert_int_equal(f.items[2].kind, FENCE_FULL);
	assert_int_equal(f.items[2].site, 1);
	assert_int_equal(f.items[3].site, 0);
	vec_free(&d);
	vec_free(&f);
}

static void a_fence_keeps_older_stores_too(void **state)
{
	/* y itself arrives in time, but x before it does not. */
	const struct wire_event events[] = {
		ISSUE(0, 0, X), ISSUE(0, 1, Y), COMMIT(0, 1, Y), LOAD(0, 2, Z), COMMIT(0, 0, X),
	};
	struct wire_fence behind_y = {1, FENCE_FULL};
	struct model_fences f = VEC_INIT;

	broken(&f, events);
	assert_true(model_fences_have(f.items, f.count, &behind_y));
	vec_free(&f);
}

static void a_store_that_never_arrives_is_late(void **state)
{
	const struct wire_event events[] = {ISSUE(3, 7, X), LOAD(3, 8, Y)};
	struct model_delays d = VEC_INIT;

	find(&d, events);
	assert_int_equal(d.count, 1);
	assert_true(d.items[0].commit == MODEL_DELAY_NONE);
	vec_free(&d);
}

static void stores_without_a_place_need_no_fence(void **state)
{
	struct wire_event events[] = {ISSUE(0, 0, X), LOAD(0, 1, Y)};
	struct model_fences f = VEC_INIT;

	events[0].site = SITE_NONE;
	broken(&f, events);
	assert_int_equal(f.count, 0);
	vec_free(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(stores_in_time_are_not_late),
		cmocka_unit_test(a_store_behind_a_load_is_late),
		cmocka_unit_test(a_load_of_the_own_store_does_not_make_it_late),
		cmocka_unit_test(what_others_read_is_what_overtook),
		cmocka_unit_test(a_fence_keeps_older_stores_too),
		cmocka_unit_test(a_store_that_never_arrives_is_late),
		cmocka_unit_test(stores_without_a_place_need_no_fence),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
