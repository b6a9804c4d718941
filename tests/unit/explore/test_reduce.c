/* Partial-order reduction: known numbers of executions, random programs against all interleavings.
 */
#include <stdio.h>

#include "base/rng.h"
#include "base/strbuf.h"
#include "support_toy.h"
#include "unit.h"

static const struct {
	const char *threads[3];
	size_t interleavings, executions, stuck;
} known[] = {
	{{"L1U1", "L1U1"}, 2, 2, 0},
	{{"L1U1L1U1", "L1U1L1U1"}, 6, 6, 0},
	{{"L1U1L1U1L1U1", "L1U1L1U1L1U1"}, 20, 20, 0},
	{{"L1U1L1U1L1U1L1U1", "L1U1L1U1L1U1L1U1"}, 70, 70, 0},
	{{"L1U1", "L1U1", "L1U1"}, 6, 6, 0},
	{{"L1U1L1U1", "L1U1L1U1", "L1U1L1U1"}, 90, 90, 0},
	{{"L1U1", "L2U2"}, 6, 1, 0},
	{{"L1U1L1U1", "L2U2L2U2"}, 70, 1, 0},
	{{"L1U1L1U1L1U1", "L2U2L2U2L2U2"}, 924, 1, 0},
	{{"L1L2U2U1", "L2L1U1U2"}, 6, 3, 1},
	{{"L1L2U2U1", "L2L3U3U2", "L3L1U1U3"}, 168, 7, 1},
	{{"L1U1L3U3L1U1", "L2U2L3U3L2U2"}, 524, 2, 0},
	{{"R1W1", "R1W1"}, 6, 4, 0},
	{{"R1W1", "R1W1", "R1W1"}, 90, 36, 0},
	{{"W1W2W3", "W4W5W6"}, 20, 1, 0},
	{{"W1", "R1W2", "R2W3"}, 30, 4, 0},
	/* An ordered read in the way. */
	{{"W2W1", "L1R1U1R2", "R1L2R2U2"}, 0, 9, 0},
};

static void table_of_counts(void **state)
{
	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
		struct toy_classes all = {0}, reduced = {0}, whole = {0};
		struct toy p;
		size_t redundant;

		toy_parse(&p, known[i].threads, known[i].threads[2] ? 3 : 2);
		toy_enumerate(&p, &all);
		toy_explore(&p, false, &reduced, &redundant);
		toy_explore(&p, true, &whole, &redundant);
		if (known[i].interleavings)
			assert_int_equal(all.runs, known[i].interleavings);
		assert_int_equal(whole.runs, all.runs);
		assert_int_equal(reduced.runs, known[i].executions);
		assert_int_equal(reduced.count, all.count);
		assert_int_equal(toy_stuck(&reduced), known[i].stuck);
		assert_false(all.wrong);
		toy_classes_fini(&all);
		toy_classes_fini(&reduced);
		toy_classes_fini(&whole);
	}
}

static void four_threads(void **state)
{
	static const char *const readers[] = {"W1", "R1", "R1", "R1"};
	struct toy_classes reduced = {0};
	struct toy p;
	size_t redundant;

	toy_parse(&p, readers, 4);
	toy_explore(&p, false, &reduced, &redundant);
	assert_int_equal(reduced.runs, 8);
	toy_classes_fini(&reduced);
}

static char digit(struct rng *r, unsigned n)
{
	return (char)('1' + rng_below(r, n));
}

/* Operations that stand alone, and sections of locks, at random. */
static void some_step(struct strbuf *to, struct rng *r, unsigned words)
{
	char a = digit(r, 2), m = digit(r, 2);

	switch (rng_below(r, words)) {
	case 0:
	case 1:
		strbuf_addf(to, "R%c:1W%c", a, digit(r, 2));
		break;
	case 2:
		strbuf_addf(to, "L%cR%cU%c", m, a, m);
		break;
	case 3:
		strbuf_addf(to, "L%cL%cU%cU%c", m, m == '1' ? '2' : '1', m == '1' ? '2' : '1', m);
		break;
	case 4:
		strbuf_addf(to, "T%c:2W%cU%c", m, a, m);
		break;
	case 5:
		strbuf_addf(to, "P%c", a);
		break;
	case 6:
		strbuf_addf(to, "V%c", a);
		break;
	case 7:
		strbuf_addf(to, "L%cC1%cU%c", m, m, m);
		break;
	case 8:
		strbuf_addf(to, "%c1", rng_below(r, 3) ? 'N' : 'B');
		break;
	case 9:
		strbuf_addf(to, "r%cR%cu%c", m, a, m);
		break;
	case 10:
		strbuf_addf(to, "w%cu%c", m, m);
		break;
	case 11:
		strbuf_addf(to, "p%c:1W%c", a, a);
		break;
	case 12:
		strbuf_add(to, "A2");
		break;
	default:
		if (rng_below(r, 4) == 0)
			strbuf_add(to, "X1");
	}
}

struct sums {
	size_t programs, skipped, classes, redundant, stuck;
};

static void compare(struct sums *sum, const struct toy *p, const char *text)
{
	struct toy_classes all = {.most_runs = 6000}, reduced = {0};
	size_t redundant;

	toy_enumerate(p, &all);
	if (all.over) {
		sum->skipped++;
		toy_classes_fini(&all);
		return;
	}
	toy_explore(p, false, &reduced, &redundant);
	if (all.wrong || reduced.count != all.count || reduced.runs != reduced.count ||
	    toy_stuck(&reduced) != toy_stuck(&all))
		print_message("%s: %zu executions, %zu of %zu classes, %zu of %zu stuck%s\n", text,
			      reduced.runs, reduced.count, all.count, toy_stuck(&reduced),
			      toy_stuck(&all), all.wrong ? ", dependence" : "");
	assert_false(all.wrong);
	assert_int_equal(reduced.count, all.count);
	assert_int_equal(reduced.runs, reduced.count);
	assert_int_equal(toy_stuck(&reduced), toy_stuck(&all));
	sum->programs++;
	sum->classes += all.count;
	sum->redundant += redundant;
	sum->stuck += toy_stuck(&all);
	toy_classes_fini(&all);
	toy_classes_fini(&reduced);
}

static void random_programs(unsigned words, size_t wanted)
{
	struct sums sum = {0};
	struct rng r;

	rng_seed(&r, words);
	while (sum.programs < wanted) {
		struct strbuf text[3] = {STRBUF_INIT, STRBUF_INIT, STRBUF_INIT},
			      whole = STRBUF_INIT;
		uint32_t n = 2 + (uint32_t)rng_below(&r, 2);
		const char *threads[3] = {"", "", ""};
		struct toy p;

		for (uint32_t t = 0; t < n; t++) {
			for (uint64_t k = 1 + rng_below(&r, 6 - n); k > 0; k--)
				some_step(&text[t], &r, words);
			threads[t] = text[t].text ? text[t].text : "";
			strbuf_addf(&whole, "%s | ", threads[t]);
		}
		toy_parse(&p, threads, n);
		p.sem[1] = (uint32_t)rng_below(&r, 2);
		p.barrier = 2;
		compare(&sum, &p, whole.text);
		for (int i = 0; i < 3; i++)
			strbuf_free(&text[i]);
		strbuf_free(&whole);
	}
	print_message("%zu programs (%zu larger ones left out): %zu classes, %zu stuck, %zu "
		      "redundant\n",
		      sum.programs, sum.skipped, sum.classes, sum.stuck, sum.redundant);
	assert_true(sum.stuck > 0);
}

static void locks_and_accesses(void **state)
{
	random_programs(4, 2600);
}

static void every_operation(void **state)
{
	random_programs(14, 2600);
}

static void offers_that_changed(void **state)
{
	struct reduce r = REDUCE_INIT;
	struct reduce_offer offers[2] = {
		{{.thread = 0, .kind = REDUCE_WRITE, .object = 1}, true},
		{{.thread = 1, .kind = REDUCE_WRITE, .object = 1}, true},
	};
	uint32_t thread;

	reduce_begin(&r);
	assert_int_equal(reduce_next(&r, offers, 2, REDUCE_ANY, &thread), REDUCE_PERFORM);
	assert_int_equal(thread, 0);
	assert_int_equal(reduce_next(&r, offers + 1, 1, REDUCE_ANY, &thread), REDUCE_PERFORM);
	assert_int_equal(reduce_next(&r, offers, 0, REDUCE_ANY, &thread), REDUCE_LEAF);
	assert_true(reduce_backtrack(&r));
	reduce_begin(&r);
	offers[1].op.object = 2;
	assert_int_equal(reduce_next(&r, offers, 2, REDUCE_ANY, &thread), REDUCE_DIVERGED);
	offers[1].op.object = 1;
	assert_int_equal(reduce_next(&r, offers, 2, REDUCE_ANY, &thread), REDUCE_PERFORM);
	assert_int_equal(thread, 1);
	reduce_fini(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(table_of_counts),     cmocka_unit_test(four_threads),
		cmocka_unit_test(offers_that_changed), cmocka_unit_test(locks_and_accesses),
		cmocka_unit_test(every_operation),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
