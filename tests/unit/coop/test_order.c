#include "unit.h"

#include "support_order.h"

/*
 * A buffer whose position and counter are not updated together (Machado, 2016, figure 3.3):
 *
 *   T1: buf[pos] = v; pos++; countW++; assert(pos == countW)   T2: countR++; pos = 0; countW = 0
 */
enum { POS, COUNT_W, COUNT_R, ELEMENTS };
enum op { READ, GROW, ZERO };
struct step {
	uint32_t element;
	enum op op;
};
static const struct step writer[] = {
	{POS, READ},	 {POS, READ}, {POS, GROW},     {COUNT_W, READ},
	{COUNT_W, GROW}, {POS, READ}, {COUNT_W, READ},
};
static const struct step cleaner[] = {
	{COUNT_R, READ},
	{COUNT_R, GROW},
	{POS, ZERO},
	{COUNT_W, ZERO},
};
#define LENGTH(x) (sizeof(x) / sizeof((x)[0]))

static void path_of(struct coop_path *p, const struct step *steps, size_t n)
{
	for (size_t i = 0; i < n; i++)
		vec_push(p, steps[i].element);
}

static void turns_of(struct coop_turns *t, const char *digits)
{
	for (; *digits; digits++)
		vec_push(t, (uint32_t)(*digits - '1'));
}

/* Carries the accesses out; does the assertion hold? */
static bool holds(const struct coop_order *o)
{
	int memory[ELEMENTS] = {0}, last[2][ELEMENTS] = {{0}};
	size_t at[2] = {0, 0};

	for (size_t i = 0; i < o->count; i++) {
		uint32_t t = o->items[i].thread, e = o->items[i].element;
		const struct step *s = t ? &cleaner[at[1]++] : &writer[at[0]++];

		assert_int_equal(s->element, e);
		if (s->op == READ)
			last[t][e] = memory[e];
		else
			memory[e] = s->op == GROW ? last[t][e] + 1 : 0;
	}
	return last[0][POS] == last[0][COUNT_W];
}

/* 'X' cannot be, 'P' passes, 'F' fails. */
static char judge(const char *pos, const char *count_w)
{
	struct coop_path paths[2] = {VEC_INIT, VEC_INIT};
	struct coop_turns turns[ELEMENTS] = {VEC_INIT, VEC_INIT, VEC_INIT};
	struct coop_order order = VEC_INIT;
	uint32_t stuck = ELEMENTS;
	char verdict = 'X';

	path_of(&paths[0], writer, LENGTH(writer));
	path_of(&paths[1], cleaner, LENGTH(cleaner));
	turns_of(&turns[POS], pos);
	turns_of(&turns[COUNT_W], count_w);
	if (coop_order_feasible(paths, 2, turns, ELEMENTS, &order, &stuck))
		verdict = holds(&order) ? 'P' : 'F';
	else
		assert_true(stuck == POS || stuck == COUNT_W);
	for (int i = 0; i < 2; i++)
		vec_free(&paths[i]);
	for (int i = 0; i < ELEMENTS; i++)
		vec_free(&turns[i]);
	vec_free(&order);
	return verdict;
}

static void vectors_of_failing_runs_give_the_known_table(void **state)
{
	static const char *const rows[] = {"11121", "11112", "11211", "12111", "21111"};
	static const char *const columns[] = {"1211", "1112", "2111", "1121"};
	static const char *const want[] = {"FFFP", "XPXF", "PPPF", "PPPF", "PPPF"};

	for (int r = 0; r < 5; r++)
		for (int c = 0; c < 4; c++)
			assert_int_equal(judge(rows[r], columns[c]), want[r][c]);
}

static void what_is_behind_a_vector_is_free(void **state)
{
	assert_int_equal(judge("", ""), 'P');
	assert_int_equal(judge("2", "2"), 'P');
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(vectors_of_failing_runs_give_the_known_table),
		cmocka_unit_test(what_is_behind_a_vector_is_free),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
