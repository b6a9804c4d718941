/* Trees of what threads do. */
#include "unit.h"

#include "explore/learn/learn.h"

static struct learn_step step_of(uint8_t op, uint32_t tix, uint64_t value)
{
	return (struct learn_step){
		.op = op, .tix = tix, .value = value, .object = 0, .other = LEARN_NONE, .size = 4};
}

static uint32_t root_of_main(struct learn *l)
{
	uint32_t t = learn_thread(l, LEARN_NONE, 0, 0);

	return l->threads.items[t].root;
}

static void follow(struct learn *l, struct learn_cursor *c, struct learn_step s, uint64_t outcome)
{
	struct err e = ERR_INIT;

	assert_int_equal(learn_follow(l, c, &s, &e), 0);
	if (learn_reads(&s))
		learn_outcome(l, c, outcome, false, 0);
}

static void a_value_read_before_leads_to_the_same_node(void **state)
{
	struct learn l;
	struct learn_cursor a, b, c;
	uint32_t main_thread;

	learn_init(&l);
	main_thread = learn_thread(&l, LEARN_NONE, 0, 0);
	a = b = c = (struct learn_cursor){l.threads.items[main_thread].root, 0};
	follow(&l, &a, step_of(LEARN_READ, 1, 0), 42);
	follow(&l, &b, step_of(LEARN_READ, 1, 0), 42);
	follow(&l, &c, step_of(LEARN_READ, 1, 0), 43);
	assert_int_equal(a.node, b.node);
	assert_int_not_equal(a.node, c.node);
	assert_int_equal(learn_look(&l, l.threads.items[main_thread].root, 44), 0);
	learn_fini(&l);
}

/* Child i of node i, by a value that rises with it: what loops that count make. */
static uint64_t probes_of_chain(uint32_t n, uint64_t step, uint64_t mask)
{
	struct learn l;
	struct learn_cursor c = {0, 0};
	uint64_t probes;

	learn_init(&l);
	c.node = root_of_main(&l);
	for (uint32_t i = 0; i < n; i++)
		follow(&l, &c, step_of(LEARN_READ, i, 0), (i * step) ^ mask);
	probes = learn_probes(&l);
	learn_fini(&l);
	return probes;
}

static void values_that_rise_with_the_nodes_do_not_collide(void **state)
{
	static const uint64_t steps[] = {0, 1, 2, 3, 8, 64, 4096, 1ull << 32, UINT64_MAX};

	/* A table that is at most half full needs less than a probe for each in the mean. */
	for (size_t i = 0; i < sizeof(steps) / sizeof(steps[0]); i++) {
		assert_true(probes_of_chain(20000, steps[i], 0) < 20000);
		assert_true(probes_of_chain(20000, steps[i], 1) < 20000);
		assert_true(probes_of_chain(20000, steps[i], 0xffff) < 20000);
	}
}

static void another_step_after_the_same_reads_is_refused(void **state)
{
	struct learn l;
	struct learn_cursor a, b;
	struct learn_step other = step_of(LEARN_WRITE, 1, 2);
	struct err e = ERR_INIT;

	learn_init(&l);
	a = b = (struct learn_cursor){root_of_main(&l), 0};
	follow(&l, &a, step_of(LEARN_WRITE, 1, 1), 0);
	assert_int_equal(learn_follow(&l, &b, &other, &e), ERR_MISMATCH);
	learn_fini(&l);
}

static void a_step_announced_is_filled_in_when_it_happens(void **state)
{
	struct learn l;
	struct learn_cursor a;
	struct learn_step lock = step_of(LEARN_LOCK, 1, 1), twice = step_of(LEARN_LOCK, 1, 2);
	struct err e = ERR_INIT;

	learn_init(&l);
	a = (struct learn_cursor){root_of_main(&l), 0};
	assert_int_equal(learn_announce(&l, &a, &lock, &e), 0);
	assert_true(learn_at(&l, a)->flags & LEARN_ANNOUNCED);
	assert_int_equal(learn_follow(&l, &a, &twice, &e), 0);
	a.pos = 0;
	assert_int_equal(learn_at(&l, a)->value, 2);
	assert_false(learn_at(&l, a)->flags & LEARN_ANNOUNCED);
	learn_fini(&l);
}

static uint32_t writes(struct learn *l, uint32_t object)
{
	struct foot_class c = {.thread = 0, .object = object, .kind = FOOT_WRITE};
	uint32_t id = foot_class(&l->foot, &c);

	return intern_set(&l->foot.prints, &id, 1);
}

static void footprints_grow_towards_the_root(void **state)
{
	struct learn l;
	struct learn_cursor root, a, b;
	struct learn_step first, second;
	uint64_t version;

	learn_init(&l);
	root = a = b = (struct learn_cursor){root_of_main(&l), 0};
	follow(&l, &a, step_of(LEARN_READ, 1, 0), 0);
	first = step_of(LEARN_WRITE, 2, 5);
	first.classes = writes(&l, 7);
	follow(&l, &a, first, 0);
	learn_settle(&l, &a, 1);
	assert_true(foot_touches(&l.foot, learn_at(&l, root)->future, 7, FOOT_WRITE));
	version = l.version;
	follow(&l, &b, step_of(LEARN_READ, 1, 0), 1);
	second = step_of(LEARN_WRITE, 2, 6);
	second.classes = writes(&l, 8);
	follow(&l, &b, second, 0);
	learn_settle(&l, &b, 1);
	assert_true(foot_touches(&l.foot, learn_at(&l, root)->future, 8, FOOT_WRITE));
	assert_true(l.version > version);
	learn_fini(&l);
}

/* Where a thread is begun, what it may do is still to come. */
static void a_thread_counts_where_it_begins(void **state)
{
	struct learn l;
	struct learn_cursor ends[2], root;
	struct learn_step fork = step_of(LEARN_FORK, 1, 0), write = step_of(LEARN_WRITE, 1, 5);

	learn_init(&l);
	root = ends[0] = (struct learn_cursor){root_of_main(&l), 0};
	fork.other = learn_thread(&l, 0, 0, 0);
	ends[1] = (struct learn_cursor){l.threads.items[fork.other].root, 0};
	follow(&l, &ends[0], fork, 0);
	write.classes = writes(&l, 7);
	follow(&l, &ends[1], write, 0);
	learn_settle(&l, ends, 2);
	assert_true(foot_touches(&l.foot, learn_at(&l, root)->future, 7, FOOT_WRITE));
	learn_fini(&l);
}

/* Two writes in one piece: who meets either of them meets the first. */
static void what_is_glued_counts_where_it_leads(void **state)
{
	struct learn l;
	struct learn_cursor root, a;
	struct learn_step first = step_of(LEARN_WRITE, 1, 5), second = step_of(LEARN_WRITE, 2, 6);

	learn_init(&l);
	root = a = (struct learn_cursor){root_of_main(&l), 0};
	first.classes = writes(&l, 7);
	second.classes = writes(&l, 8);
	second.flags = LEARN_GLUED;
	follow(&l, &a, first, 0);
	follow(&l, &a, second, 0);
	learn_lead(&l, root, &second);
	assert_true(learn_at(&l, root)->flags & LEARN_LEADS);
	assert_true(foot_touches(&l.foot, learn_at(&l, root)->classes, 7, FOOT_WRITE));
	assert_true(foot_touches(&l.foot, learn_at(&l, root)->classes, 8, FOOT_WRITE));
	learn_fini(&l);
}

/* The thread reads `outcome' at tix 5 and is parked; whether it counts as standing before the read.
 */
static bool waits_after(struct learn_step read, uint64_t outcome, struct learn_step park,
			uint32_t begin, bool *back)
{
	struct learn l;
	struct learn_cursor c, before;
	bool waits;

	learn_init(&l);
	c = (struct learn_cursor){root_of_main(&l), 0};
	follow(&l, &c, step_of(LEARN_WRITE, 4, 7), 0);
	before = c;
	follow(&l, &c, read, outcome);
	follow(&l, &c, park, 0);
	waits = learn_wait(&l, &c, begin);
	*back = c.node == before.node && c.pos == before.pos;
	assert_int_equal(waits, learn_waits(&l, learn_at(&l, before), before.node, outcome));
	assert_false(learn_waits(&l, learn_at(&l, before), before.node, outcome + 1));
	learn_fini(&l);
	return waits;
}

static void a_read_in_vain_leads_back(void **state)
{
	struct learn_step read = step_of(LEARN_READ, 5, 0), other = read;
	struct learn_step one = step_of(LEARN_PARK, 6, 1), two = step_of(LEARN_PARK, 6, 2);
	bool back;

	assert_true(waits_after(read, 3, one, 5, &back) && back);
	/* The round began with the write, or had a read before, or ended in the middle. */
	assert_false(waits_after(read, 3, one, 4, &back) || back);
	assert_false(waits_after(read, 3, two, 5, &back) || back);
	assert_false(waits_after(read, 3, one, 6, &back) || back);
	other.flags = LEARN_LEADS;
	assert_false(waits_after(other, 3, one, 5, &back) || back);
	/* A swap that failed for no reason may succeed when nothing changes. */
	other = step_of(LEARN_RMW, 5, 8);
	other.weak = 1;
	assert_false(waits_after(other, learn_spurious(8), one, 5, &back) || back);
	assert_true(waits_after(other, 9, one, 5, &back) && back);
}

/*
 * A read at tix 3, a write at 4 when there is one, a read at 5, the end of a round; where the
 * cursor is then, as a tix.
 */
static uint32_t back_after(bool writes, uint32_t begin)
{
	struct learn l;
	struct learn_cursor c;
	uint32_t at;

	learn_init(&l);
	c = (struct learn_cursor){root_of_main(&l), 0};
	follow(&l, &c, step_of(LEARN_WRITE, 2, 7), 0);
	follow(&l, &c, step_of(LEARN_READ, 3, 0), 1);
	if (writes)
		follow(&l, &c, step_of(LEARN_WRITE, 4, 7), 0);
	follow(&l, &c, step_of(LEARN_READ, 5, 0), 2);
	follow(&l, &c, step_of(LEARN_PARK, 6, 2), 0);
	c.pos--;
	assert_false(learn_at(&l, c)->vain);
	c.pos++;
	at = learn_fold(&l, &c, begin) ? learn_at(&l, c)->tix : 0;
	learn_fini(&l);
	return at;
}

static void a_round_in_vain_leads_back(void **state)
{
	assert_int_equal(back_after(false, 3), 3);
	assert_int_equal(back_after(false, 4), 5);
	assert_int_equal(back_after(true, 5), 5);
	/* It wrote, or read nothing. */
	assert_int_equal(back_after(true, 3), 0);
	assert_int_equal(back_after(false, 2), 0);
	assert_int_equal(back_after(false, 6), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_value_read_before_leads_to_the_same_node),
		cmocka_unit_test(values_that_rise_with_the_nodes_do_not_collide),
		cmocka_unit_test(another_step_after_the_same_reads_is_refused),
		cmocka_unit_test(a_step_announced_is_filled_in_when_it_happens),
		cmocka_unit_test(footprints_grow_towards_the_root),
		cmocka_unit_test(a_thread_counts_where_it_begins),
		cmocka_unit_test(what_is_glued_counts_where_it_leads),
		cmocka_unit_test(a_read_in_vain_leads_back),
		cmocka_unit_test(a_round_in_vain_leads_back),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
