/* Paths of threads: cut, compared, found by the thread's name. */
#include "unit.h"

#include "hunt/path.h"

static void add_way(struct hunt_path *p, uint32_t point, uint64_t value)
{
	vec_push(&p->ways, ((struct hunt_way){.point = point, .value = value}));
}

static void add_pick(struct hunt_path *p, uint32_t tix, uint64_t value)
{
	vec_push(&p->picks,
		 ((struct hunt_pick){.tix = tix, .value = value, .ways = (uint32_t)p->ways.count}));
}

/* T1 `10', T2 `1', as in the worked example of the paper. */
static void example(struct hunt_paths *p)
{
	struct hunt_path *t;

	*p = (struct hunt_paths)VEC_INIT;
	t = hunt_paths_get(p, hunt_key_child(HUNT_MAIN, 0));
	add_way(t, 1, 1);
	add_way(t, 2, 0);
	t = hunt_paths_get(p, hunt_key_child(HUNT_MAIN, 1));
	add_way(t, 3, 1);
}

static bool same_key(const struct hunt_paths *a, const struct hunt_paths *b)
{
	struct hunt_key x, y;

	hunt_paths_key(a, &x);
	hunt_paths_key(b, &y);
	return memcmp(&x, &y, sizeof(x)) == 0;
}

static void a_flip_keeps_what_comes_before_it(void **state)
{
	struct hunt_paths p, flipped;
	struct hunt_path *t;

	(void)state;
	example(&p);
	hunt_paths_copy(&flipped, &p);
	t = hunt_paths_find(&flipped, hunt_key_child(HUNT_MAIN, 0));
	/* Its first branch: prefix 0, what follows is free. */
	hunt_path_cut(t, 1);
	t->ways.items[0].value = 0;
	assert_int_equal(t->ways.count, 1);
	assert_int_equal(p.items[0].ways.count, 2);
	assert_false(same_key(&p, &flipped));
	hunt_paths_fini(&p);
	hunt_paths_fini(&flipped);
}

static void the_order_of_threads_does_not_matter(void **state)
{
	struct hunt_paths p, q = VEC_INIT;

	(void)state;
	example(&p);
	vec_push(&q, p.items[1]);
	vec_push(&q, p.items[0]);
	assert_true(same_key(&p, &q));
	/* But which thread took which path does. */
	q.items[0].key = p.items[0].key;
	q.items[1].key = p.items[1].key;
	assert_false(same_key(&p, &q));
	vec_free(&q);
	hunt_paths_fini(&p);
}

/* The address that a thread met at the end of its path, and which way it took, are part of it. */
static void paths_that_differ_in_one_thing_are_two(void **state)
{
	struct hunt_paths p, q;

	(void)state;
	example(&p);
	example(&q);
	assert_true(same_key(&p, &q));
	q.items[1].ways.items[0].value = 0;
	assert_false(same_key(&p, &q));
	q.items[1].ways.items[0].value = 1;
	add_pick(&p.items[0], 5, 1);
	add_pick(&q.items[0], 5, 2);
	assert_false(same_key(&p, &q));
	/* One that nobody knows has no value yet. */
	p.items[0].picks.items[0].open = q.items[0].picks.items[0].open = true;
	assert_true(same_key(&p, &q));
	hunt_paths_fini(&p);
	hunt_paths_fini(&q);
}

static void picks_behind_a_cut_are_gone(void **state)
{
	struct hunt_path p = {.key = HUNT_MAIN};
	struct hunt_pick like = {.tix = 5};

	(void)state;
	add_pick(&p, 1, 10);
	add_way(&p, 1, 0);
	add_pick(&p, 5, 11);
	add_way(&p, 2, 0);
	assert_int_equal(hunt_path_pick(&p, &like)->value, 11);
	hunt_path_cut(&p, 2);
	assert_int_equal(p.picks.count, 2);
	hunt_path_cut(&p, 1);
	assert_int_equal(p.picks.count, 1);
	assert_null(hunt_path_pick(&p, &like));
	vec_free(&p.ways);
	vec_free(&p.picks);
}

static void children_have_names_of_their_own(void **state)
{
	(void)state;
	assert_true(hunt_key_child(HUNT_MAIN, 0) != hunt_key_child(HUNT_MAIN, 1));
	assert_true(hunt_key_child(hunt_key_child(HUNT_MAIN, 0), 1) !=
		    hunt_key_child(hunt_key_child(HUNT_MAIN, 1), 0));
}

static void expect_flipped(const struct hunt_path *p, const size_t *ways, size_t n,
			   const char *wanted)
{
	struct hunt_paths out;
	char bits[8] = "";

	hunt_path_flipped(p, ways, n, &out);
	for (size_t i = 0; i < out.items[0].ways.count; i++)
		bits[i] = (char)('0' + out.items[0].ways.items[i].value);
	assert_string_equal(bits, wanted);
	assert_int_equal(out.items[0].key, p->key);
	hunt_paths_fini(&out);
}

/* Nearest first A and B in T1, C in T2; whoever has no flip keeps its path. */
static void flips_of_the_published_example(void **state)
{
	static const size_t first[] = {0}, last[] = {1}, both[] = {1, 0};
	struct hunt_paths p;

	(void)state;
	example(&p);
	expect_flipped(&p.items[0], last, 1, "11"); /* A */
	expect_flipped(&p.items[0], first, 1, "0"); /* B, and B and C */
	expect_flipped(&p.items[1], first, 1, "0"); /* C */
	expect_flipped(&p.items[0], both, 2, "01"); /* A and B */
	hunt_paths_fini(&p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_flip_keeps_what_comes_before_it),
		cmocka_unit_test(the_order_of_threads_does_not_matter),
		cmocka_unit_test(paths_that_differ_in_one_thing_are_two),
		cmocka_unit_test(picks_behind_a_cut_are_gone),
		cmocka_unit_test(flips_of_the_published_example),
		cmocka_unit_test(children_have_names_of_their_own),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
