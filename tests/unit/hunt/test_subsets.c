/* The order of flips, against the places where the published evaluation found its failures. */
#include "unit.h"

#include "hunt/subsets.h"

struct seen {
	size_t n, wanted;
	char text[64]; /* of the wanted one, or of all */
};

static bool each(void *arg, const size_t *ranks, size_t n)
{
	struct seen *s = arg;

	if (s->wanted && s->n + 1 < s->wanted)
		return ++s->n;
	for (size_t i = 0; i < n; i++)
		snprintf(s->text + strlen(s->text), sizeof(s->text) - strlen(s->text), "%zu",
			 ranks[i] + 1);
	strcat(s->text, s->wanted ? "" : " ");
	return ++s->n != s->wanted;
}

static void expect(size_t count, size_t wanted, const char *text)
{
	struct seen s = {.wanted = wanted};

	assert_int_equal(hunt_subsets(count, each, &s), wanted == 0);
	assert_string_equal(s.text, text);
}

static void fewer_first_then_nearer(void **state)
{
	(void)state;
	expect(3, 0, "1 2 3 12 13 23 123 ");
	expect(4, 0, "1 2 3 4 12 13 14 23 24 34 123 124 134 234 1234 ");
}

static void published_successes_come_at_their_place(void **state)
{
	(void)state;
	expect(4, 6, "13");  /* ExMCR */
	expect(3, 6, "23");  /* Garage */
	expect(5, 15, "45"); /* Pool */
}

static void every_set_comes_once(void **state)
{
	struct seen s = {.wanted = SIZE_MAX};

	(void)state;
	assert_true(hunt_subsets(10, each, &s));
	assert_int_equal(s.n, 1023);
	assert_true(hunt_subsets(0, each, &s));
	assert_int_equal(s.n, 1023);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(fewer_first_then_nearer),
		cmocka_unit_test(published_successes_come_at_their_place),
		cmocka_unit_test(every_set_comes_once),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
