/* Call stacks from the markers of a recording made by hand: main calls f, which calls g. */
#include "unit.h"

#include "model/calls.h"

enum { IN_MAIN = 1, IN_F, IN_G, CALLS_F, CALLS_G };

static struct trace_site sites[] = {
	{.id = IN_MAIN, .func = "main"},
	{.id = IN_F, .func = "f"},
	{.id = IN_G, .func = "g"},
	{.id = CALLS_F, .func = "main", .kind = EVENT_INTO},
	{.id = CALLS_G, .func = "f"}, /* through a pointer: the site is of the call */
};

struct recording {
	struct trace_bundle b;
	struct calls calls;
};

static void begin(struct recording *r)
{
	memset(r, 0, sizeof(*r));
	r->b.sites.items = sites;
	r->b.sites.count = sizeof(sites) / sizeof(sites[0]);
}

static void end(struct recording *r)
{
	vec_free(&r->b.events);
	calls_fini(&r->calls);
}

static uint32_t happens(struct recording *r, uint16_t tid, uint8_t kind, uint32_t site)
{
	struct wire_event e = {.tid = tid, .kind = kind, .site = site};

	vec_push(&r->b.events, e);
	return calls_follow(&r->calls, &r->b, &e);
}

static void go_into_g(struct recording *r)
{
	happens(r, 0, EVENT_ENTER, IN_MAIN);
	happens(r, 0, EVENT_INTO, CALLS_F);
	happens(r, 0, EVENT_ENTER, IN_F);
	happens(r, 0, EVENT_INTO, CALLS_G);
	happens(r, 0, EVENT_ENTER, IN_G);
}

/* The functions of the stack of the last event, innermost first. */
static void assert_stack(const struct recording *r, const char *expected)
{
	struct calls_stack stack = VEC_INIT;
	char text[64] = "";

	calls_stack_of(&r->b, r->b.events.count - 1, &stack);
	for (size_t i = 0; i < stack.count; i++)
		strcat(strcat(text, stack.items[i].func), " ");
	vec_free(&stack);
	assert_string_equal(text, expected);
}

static void a_stack_has_the_places_of_its_calls(void **state)
{
	struct calls_stack stack = VEC_INIT;
	struct recording r;

	begin(&r);
	go_into_g(&r);
	happens(&r, 0, EVENT_READ, IN_G);
	calls_stack_of(&r.b, r.b.events.count - 1, &stack);
	assert_int_equal(stack.count, 3);
	assert_int_equal(stack.items[0].site, IN_G);
	assert_int_equal(stack.items[1].site, CALLS_G);
	assert_int_equal(stack.items[2].site, CALLS_F);
	assert_string_equal(stack.items[2].func, "main");
	vec_free(&stack);
	end(&r);
}

static void what_is_left_is_no_longer_there(void **state)
{
	struct recording r;

	begin(&r);
	go_into_g(&r);
	happens(&r, 0, EVENT_LEAVE, IN_G);
	happens(&r, 0, EVENT_READ, IN_F);
	assert_stack(&r, "f main ");
	end(&r);
}

/* longjmp() and exceptions say nothing. */
static void what_is_left_without_a_word_goes_with_the_next_event_outside(void **state)
{
	struct recording r;

	begin(&r);
	go_into_g(&r);
	happens(&r, 0, EVENT_READ, IN_MAIN);
	assert_stack(&r, "main ");
	end(&r);
}

static void threads_have_stacks_of_their_own(void **state)
{
	struct recording r;
	uint32_t mine;

	begin(&r);
	go_into_g(&r);
	mine = happens(&r, 0, EVENT_READ, IN_G);
	happens(&r, 1, EVENT_ENTER, IN_F);
	happens(&r, 1, EVENT_READ, IN_F);
	assert_stack(&r, "f ");
	assert_int_equal(happens(&r, 0, EVENT_READ, IN_G), mine);
	end(&r);
}

static void a_call_is_direct_when_it_names_its_function(void **state)
{
	struct recording r;

	begin(&r);
	assert_false(calls_direct(&r.calls, 0));
	happens(&r, 0, EVENT_INTO, CALLS_F);
	assert_true(calls_direct(&r.calls, 0));
	happens(&r, 0, EVENT_READ, IN_MAIN);
	assert_false(calls_direct(&r.calls, 0)); /* it led nowhere */
	happens(&r, 0, EVENT_INTO, CALLS_G);
	assert_false(calls_direct(&r.calls, 0));
	end(&r);
}

static void without_markers_there_is_no_stack(void **state)
{
	struct recording r;

	begin(&r);
	assert_int_equal(happens(&r, 0, EVENT_READ, IN_G), 0);
	assert_stack(&r, "");
	end(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_stack_has_the_places_of_its_calls),
		cmocka_unit_test(what_is_left_is_no_longer_there),
		cmocka_unit_test(what_is_left_without_a_word_goes_with_the_next_event_outside),
		cmocka_unit_test(threads_have_stacks_of_their_own),
		cmocka_unit_test(a_call_is_direct_when_it_names_its_function),
		cmocka_unit_test(without_markers_there_is_no_stack),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
