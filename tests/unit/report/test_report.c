/* What a report shows of an execution made by hand. */
#include "unit.h"

#include "report/focus.h"
#include "report/json.h"
#include "report/term.h"

#define SHARED 0x1000
#define PRIVATE 0x2000

static void add_event(struct trace_bundle *b, uint16_t tid, uint8_t kind, uint64_t addr,
		      uint64_t value)
{
	struct wire_event v = {.addr = addr,
			       .value = value,
			       .site = SITE_NONE,
			       .tid = tid,
			       .kind = kind,
			       .size = 4};

	v.tix = (uint32_t)b->events.count;
	vec_push(&b->events, v);
}

static void add_thread(struct trace_bundle *b, uint8_t state)
{
	struct wire_thread t = {.tid = (uint16_t)b->threads.count,
				.state = state,
				.pending_site = SITE_NONE,
				.create_site = SITE_NONE,
				.waits_for = THREAD_NONE};

	vec_push(&b->threads, t);
}

/* Two threads lose an update among much private work; T0 then fails. */
static void make_lost_update(struct trace_bundle *b, unsigned noise)
{
	add_thread(b, THREAD_PARKED);
	add_thread(b, THREAD_GONE);
	add_event(b, 0, EVENT_READ, SHARED, 0);
	for (unsigned i = 0; i < noise; i++)
		add_event(b, 1, EVENT_WRITE, PRIVATE + 8 * i, i);
	add_event(b, 1, EVENT_READ, SHARED, 0);
	add_event(b, 1, EVENT_WRITE, SHARED, 1);
	add_event(b, 0, EVENT_WRITE, SHARED, 1);
	for (unsigned i = 0; i < noise; i++)
		add_event(b, 0, EVENT_READ, PRIVATE + 0x10000 + 8 * i, i);
	add_event(b, 0, EVENT_READ, SHARED, 1);
	add_event(b, 0, EVENT_FAILURE, 0, FAILURE_ASSERT);
	b->outcome.outcome = OUTCOME_FAILURE;
	b->outcome.failure = (struct wire_failure){.kind = FAILURE_ASSERT, .site = SITE_NONE};
	strcpy(b->outcome.failure.text, "sum == 2");
}

static void private_work_is_left_out(void **state)
{
	struct trace_bundle b = TRACE_BUNDLE_INIT;
	struct report_focus f = {.events = VEC_INIT};
	size_t shared = 0;

	make_lost_update(&b, 100);
	report_focus_choose(&f, &b, 24);
	for (size_t i = 0; i < f.events.count; i++)
		shared += b.events.items[f.events.items[i]].addr == SHARED;
	assert_int_equal(shared, 5);
	assert_true(f.events.count <= 10);
	assert_int_equal(f.events.items[f.events.count - 1], b.events.count - 1);
	report_focus_fini(&f);
	trace_bundle_fini(&b);
}

static void no_more_than_the_limit_is_chosen(void **state)
{
	struct trace_bundle b = TRACE_BUNDLE_INIT;

	add_thread(&b, THREAD_PARKED);
	add_thread(&b, THREAD_PARKED);
	for (unsigned i = 0; i < 1000; i++)
		add_event(&b, (uint16_t)(i % 2), EVENT_WRITE, SHARED, i);
	for (size_t max = 0; max < 30; max++) {
		struct report_focus f = {.events = VEC_INIT};

		report_focus_choose(&f, &b, max);
		assert_true(f.events.count <= max);
		for (size_t i = 1; i < f.events.count; i++)
			assert_true(f.events.items[i - 1] < f.events.items[i]);
		report_focus_fini(&f);
	}
	trace_bundle_fini(&b);
}

static void an_execution_without_events_has_no_focus(void **state)
{
	struct trace_bundle b = TRACE_BUNDLE_INIT;
	struct report_focus f = {.events = VEC_INIT};

	report_focus_choose(&f, &b, 24);
	assert_int_equal(f.events.count, 0);
	report_focus_fini(&f);
}

static char *render(const struct trace_bundle *b, const struct report_ops *ops)
{
	struct report r = {.ops = ops};
	struct report_finding f = {.bundle = b, .dir = "out/x.heddle"};
	struct report_summary s = {
		.command = "check", .text = "failure found", .exit_code = 1, .engine = "reset"};

	report_begin(&r);
	report_add(&r, &f);
	report_end(&r, &s);
	return strbuf_take(&r.to);
}

static void a_page_says_what_failed_and_how_to_see_it_again(void **state)
{
	struct trace_bundle b = TRACE_BUNDLE_INIT;
	char *text;

	make_lost_update(&b, 10);
	text = render(&b, &report_term);
	assert_contains(text, "assertion failed");
	assert_contains(text, "sum == 2");
	assert_contains(text, "heddle replay out/x.heddle");
	assert_contains(text, "... 10 more events");
	assert_null(strchr(text, '\033'));
	free(text);
	trace_bundle_fini(&b);
}

static void a_deadlock_shows_its_cycle(void **state)
{
	struct trace_bundle b = TRACE_BUNDLE_INIT;
	char *text;

	for (unsigned i = 0; i < 3; i++)
		add_thread(&b, THREAD_BLOCKED);
	for (unsigned i = 0; i < 3; i++) {
		struct wire_thread *t = &b.threads.items[i];

		t->pending_kind = i == 0 ? EVENT_THREAD_JOIN : EVENT_LOCK;
		t->waits_for = i == 0 ? 1 : 3 - i;
		t->pending_addr = 0x100 * (3 - i);
		t->held_count = i > 0;
		t->held[0].addr = 0x100 * i;
		t->held[0].site = SITE_NONE;
		t->held[0].kind = OBJ_MUTEX;
	}
	b.outcome.outcome = OUTCOME_FAILURE;
	b.outcome.failure = (struct wire_failure){.kind = FAILURE_DEADLOCK, .site = SITE_NONE};
	text = render(&b, &report_term);
	assert_contains(text, "cycle: T1 -> T2 -> T1");
	assert_contains(text, "T1 waits for mutex 0x200, held by T2");
	assert_contains(text, "holds mutex 0x100");
	assert_contains(text, "T0 (main) waits for the end of T1");
	free(text);
	trace_bundle_fini(&b);
}

static void a_freed_block_is_described(void **state)
{
	struct trace_bundle b = TRACE_BUNDLE_INIT;
	char *text;

	add_thread(&b, THREAD_PARKED);
	b.outcome.outcome = OUTCOME_FAILURE;
	b.outcome.failure = (struct wire_failure){.kind = FAILURE_USE_AFTER_FREE,
						  .site = SITE_NONE,
						  .object = OBJECT_FREED,
						  .addr = 0x5008,
						  .object_base = 0x5000,
						  .object_size = 24,
						  .alloc_site = SITE_NONE,
						  .free_site = SITE_NONE};
	text = render(&b, &report_term);
	assert_contains(text, "at offset 8 of a freed heap block of 24 bytes");
	assert_contains(text, "freed at an unknown place by T0 (main)");
	free(text);
	text = render(&b, &report_json);
	assert_contains(text, "\"kind\": \"use-after-free\"");
	assert_contains(text, "\"object_size\": 24");
	free(text);
	trace_bundle_fini(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(private_work_is_left_out),
		cmocka_unit_test(no_more_than_the_limit_is_chosen),
		cmocka_unit_test(an_execution_without_events_has_no_focus),
		cmocka_unit_test(a_page_says_what_failed_and_how_to_see_it_again),
		cmocka_unit_test(a_deadlock_shows_its_cycle),
		cmocka_unit_test(a_freed_block_is_described),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
