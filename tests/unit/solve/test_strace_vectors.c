/* The worked examples of CLAP and H3, and small traces whose answers are known. */
#include "unit.h"

#include "solve/strace/sim.h"
#include "solve/strace/solve.h"
#include "support_enum.h"
#include "support_text.h"

static enum solve_answer ask(const struct text_trace *x, enum wire_model model, bool by_core)
{
	struct strace_solve_opts o = {.model = model, .by_core = by_core};
	struct strace_solution s;
	enum solve_answer a;

	strace_solve(&x->t, &o, &s);
	a = s.answer;
	strace_solution_fini(&s);
	return a;
}

/* What is expected under SC, TSO, PSO, as "nny"; both encodings and brute force must say so. */
static void expect(const char *text, const char *answers)
{
	struct text_trace x;

	text_parse(&x, text);
	for (int m = MODEL_SC; m <= MODEL_PSO; m++) {
		enum solve_answer want = answers[m] == 'y' ? SOLVE_SAT : SOLVE_UNSAT;
		struct enum_result r = enum_runs(&x, (enum wire_model)m, NULL, NULL);

		assert_false(r.cut);
		assert_int_equal(r.good > 0, answers[m] == 'y');
		assert_int_equal(ask(&x, (enum wire_model)m, false), want);
		assert_int_equal(ask(&x, (enum wire_model)m, true), want);
		free(r.values);
	}
	text_fini(&x);
}

#define PUBLICATION                                                                                \
	"init x=1 y=2 z=0\n"                                                                       \
	"T0: fork 1; W z 0; R x a; W x a+1; R y b; W y b+1; W z 1\n"                               \
	"T1: R z c; path c==1; R x d; R y e; bug d+1!=e\n"

static void publication_needs_pso(void **state)
{
	(void)state;
	expect(PUBLICATION, "nny");
	expect("T0: fork 1; W z 0; W x 0; W y 0; W x 1; W y 2; W z 1\n"
	       "T1: R z c; path 0<c; R x d; R y e; bug d+1!=e\n",
	       "nny");
}

static void note_pair(void *arg, const uint64_t *reads, bool good)
{
	unsigned *seen = arg;

	/* Reads by name: a, b, c, d = x, e = y. */
	if (good)
		*seen |= reads[3] == 2 && reads[4] == 2 ? 1 : reads[3] == 1 && reads[4] == 3 ? 2 : 4;
}

static void publication_fails_in_two_ways(void **state)
{
	struct text_trace x;
	struct enum_result r;
	unsigned seen = 0;

	(void)state;
	text_parse(&x, PUBLICATION);
	r = enum_runs(&x, MODEL_PSO, note_pair, &seen);
	assert_true(r.good > 0);
	assert_int_equal(seen, 3);
	free(r.values);
	text_fini(&x);
}

/* 1-2-3R-3W-4R-5-7-8x-8y and then 4W. */
static void published_schedule_fails(void **state)
{
	static const uint32_t order[] = {0, 1, 2, 3, 4, 6, 7, 8, 9, 5};
	struct text_trace x;
	struct strace_sim s;

	(void)state;
	text_parse(&x, PUBLICATION);
	strace_sim_init(&s, &x.t, true);
	strace_sim_run(&s, order);
	assert_true(strace_sim_good(&s));
	assert_int_equal(s.value[text_read(&x, "d")], 2);
	assert_int_equal(s.value[text_read(&x, "e")], 2);
	strace_sim_fini(&s);
	text_fini(&x);
}

static void the_strongest_model_is_named(void **state)
{
	struct strace_solve_opts o = {.by_core = true};
	struct strace_solution s;
	struct text_trace x;
	enum wire_model m;

	(void)state;
	text_parse(&x, PUBLICATION);
	strace_solve_models(&x.t, &o, &s, &m);
	assert_int_equal(s.answer, SOLVE_SAT);
	assert_int_equal(m, MODEL_PSO);
	strace_solution_fini(&s);
	text_fini(&x);
}

static void litmus_shapes(void **state)
{
	(void)state;
	/* Store buffering. */
	expect("T0: W x 1; R y a\nT1: W y 1; R x b; bug a==0 && b==0\n", "nyy");
	expect("T0: W x 1; fence; R y a\nT1: W y 1; fence; R x b; bug a==0 && b==0\n", "nnn");
	/* Message passing; with a releasing store; through to memory. */
	expect("T0: W x 1; W y 1\nT1: R y a; R x b; bug a==1 && b==0\n", "nny");
	expect("T0: W x 1; WR y 1\nT1: R y a; R x b; bug a==1 && b==0\n", "nnn");
	expect("T0: W x 1; WT y 1\nT1: R y a; R x b; bug a==1 && b==0\n", "nnn");
	/* A releasing store holds back nothing that comes after it. */
	expect("T0: WR y 1; W x 1\nT1: R x a; R y b; bug a==1 && b==0\n", "nny");
	/* The own store is seen before it is in memory. */
	expect("T0: W x 1; R x a; R y b\nT1: W y 1; R y c; R x d; bug a==1 && b==0 && c==1 && d==0\n",
	       "nyy");
	/* Load buffering and coherence are never broken. */
	expect("T0: R x a; W y 1\nT1: R y b; W x 1; bug a==1 && b==1\n", "nnn");
	expect("T0: W x 1; W x 2\nT1: R x a; R x b; bug a==2 && b==1\n", "nnn");
}

static void lost_update(void **state)
{
	(void)state;
	expect("T0: fork 1; fork 2; join 1; join 2; R c e; bug e!=2\n"
	       "T1: R c a; W c a+1\nT2: R c b; W c b+1\n",
	       "yyy");
	expect("T0: fork 1; fork 2; join 1; join 2; R c e; bug e!=2\n"
	       "T1: RW c a a+1\nT2: RW c b b+1\n",
	       "nnn");
	expect("T0: fork 1; fork 2; join 1; join 2; R c e; bug e!=2\n"
	       "T1: lock m; R c a; W c a+1; unlock m\nT2: lock m; R c b; W c b+1; unlock m\n",
	       "nnn");
}

static void check_then_act(void **state)
{
	(void)state;
	expect("init p=8\nT0: R p a; path a!=0; R p b; bug b==0\nT1: W p 0\n", "yyy");
	expect("init p=8\nT0: lock m; R p a; path a!=0; R p b; bug b==0; unlock m\n"
	       "T1: lock m; W p 0; unlock m\n",
	       "nnn");
	/* The section is open when the program fails. */
	expect("init p=8\nT0: lock m; R p a; path a!=0; R p b; bug b==0\n"
	       "T1: lock m; W p 0; unlock m\n",
	       "nnn");
}

static void deadlocks(void **state)
{
	(void)state;
	expect("T0: lock a\nT1: lock b\nstuck T0 lock b\nstuck T1 lock a\n", "yyy");
	expect("T0: lock a; unlock a; lock b\nT1: lock a\nstuck T0 lock a\nstuck T1 lock b\n", "yyy");
	/* Nobody has what the second wants. */
	expect("T0: lock a; unlock a\nT1: lock b\nstuck T0 lock b\nstuck T1 lock a\n", "nnn");
	/* A signal that comes before the wait is lost. */
	expect("T0: lock m; wait c m\nT1: signal c\nstuck T0 wake c\n", "yyy");
	expect("T0: W x 1; lock m; wait c m\n"
	       "T1: R x a; lock m; path a==1; signal c; unlock m\nstuck T0 wake c\n",
	       "yyy");
	/* The signal can only come when the other sleeps. */
	expect("T0: lock m; W x 1; wait c m\n"
	       "T1: lock m; R x a; path a==1; signal c; unlock m\nstuck T0 wake c\n",
	       "nnn");
	expect("T0: take s 0\nT1: W x 1\nstuck T1 take t\n", "nnn");
}

/* A signal wakes another producer instead of the consumer. */
static void signal_wakes_one(void **state)
{
	(void)state;
	expect("T0: lock m; wait c m; wake c m; unlock m\n"
	       "T1: lock m; wait c m; wake c m; unlock m\n"
	       "T2: lock m; signal c; unlock m\n",
	       "nnn");
	expect("T0: lock m; wait c m; wake c m; unlock m\n"
	       "T1: lock m; wait c m; wake c m; unlock m\n"
	       "T2: lock m; broadcast c; unlock m\n",
	       "yyy");
	expect("T0: lock m; wait c m; wake c m; unlock m\n"
	       "T1: lock m; wait c m\n"
	       "T2: lock m; signal c; unlock m\nstuck T1 wake c\n",
	       "yyy");
}

/* `if' instead of `while' around the wait: the buffer is empty again when the thread goes on. */
static void bounded_buffer(void **state)
{
	(void)state;
	expect("T0: lock m; R n a; path a==0; wait c m; wake c m; R n b; bug b==0\n"
	       "T1: lock m; W n 1; signal c; unlock m\n"
	       "T2: lock m; R n d; path d==1; W n d-1; unlock m\n",
	       "yyy");
}

static void other_objects(void **state)
{
	(void)state;
	expect("T0: W x 1; arrive b 2; leave b\nT1: arrive b 2; leave b; R x a; bug a==0\n", "nnn");
	expect("T0: arrive b 2; leave b; W x 1\nT1: arrive b 2; leave b; R x a; bug a==0\n", "yyy");
	expect("T0: arrive b 2; leave b; W x 1; arrive b 2; leave b\n"
	       "T1: arrive b 2; leave b; arrive b 2; leave b; R x a; bug a==0\n",
	       "nnn");
	expect("T0: W x 1; give s 0\nT1: take s 0; R x a; bug a==0\n", "nnn");
	expect("T0: W x 1; give s 1\nT1: take s 1; R x a; bug a==0\n", "yyy");
	expect("T0: take s 1; take s 1\nT1: W x 1; give s 1\nT2: R x a; bug a==0\n", "yyy");
	expect("T0: oncebegin o; W x 1; onceend o\nT1: oncepass o; R x a; bug a==0\n", "nnn");
	expect("T0: wrlock l; W x 1; W x 2; rwunlock l\nT1: rdlock l; R x a; rwunlock l; bug a==1\n",
	       "nnn");
	expect("T0: rdlock l; R x a; W y 1; R y b; rwunlock l\n"
	       "T1: rdlock l; W x 1; R y c; W y 2; rwunlock l; bug a==1 && c==1 && b==2\n",
	       "yyy");
	expect("T0: rdlock l; W y 1; R y b; rwunlock l\n"
	       "T1: rdlock l; R y c; W y 2; rwunlock l; bug c==1 && b==2\n",
	       "yyy");
	expect("T0: lock m; W x 1; unlock m; W x 2\nT1: trylock m; R x a; bug a==2\n", "yyy");
	expect("T0: W x 1; lock m; unlock m\nT1: trylock m; R x a; bug a==0\n", "nnn");
}

/* Two threads on one core: the switches alone say who read what. */
static void switches_decide(void **state)
{
	static const char text[] = "T0: W x 1 @0:0/0; W y 1 @0:1/0; W x 2 @0:4/2\n"
				   "T1: R y a @0:2/1; R x b @0:3/1; path a==1; bug b==1\n";
	struct strace_solve_opts o = {.by_core = true};
	struct strace_solution s;
	struct text_trace x;

	(void)state;
	text_parse(&x, text);
	for (int m = MODEL_SC; m <= MODEL_PSO; m++) {
		o.model = (enum wire_model)m;
		strace_solve(&x.t, &o, &s);
		assert_int_equal(s.answer, SOLVE_SAT);
		assert_int_equal(s.rounds, 1);
		for (uint32_t r = 0; r < x.t.reads; r++) {
			struct strace_list c = {NULL, 0, 0};
			struct strace_facts f;
			struct strace_facts_opts fo = {o.model, true, true};

			strace_facts_init(&f, &x.t, &fo);
			strace_encode_candidates(&f, m != MODEL_SC, r, &c);
			assert_int_equal(c.count, 1);
			vec_free(&c);
			strace_facts_fini(&f);
		}
		strace_solution_fini(&s);
	}
	text_fini(&x);
	/* What the switches exclude. */
	text_parse(&x, "T0: W x 1 @0:0/0; W x 2 @0:2/2\nT1: R x a @0:1/1; bug a==2\n");
	assert_int_equal(ask(&x, MODEL_PSO, true), SOLVE_UNSAT);
	text_fini(&x);
}

/* A thread that moves to another core takes what it did before with it. */
static void migration_orders(void **state)
{
	struct text_trace x;

	(void)state;
	text_parse(&x, "T0: W x 1 @0:0/0; R y a @1:0/0\nT1: W y 1 @2:0/0; R x b @2:1/0\n"
		       "T2: R z c @0:1/1; bug a==0 && b==0\n");
	assert_int_equal(ask(&x, MODEL_TSO, true), SOLVE_SAT);
	text_fini(&x);
	text_parse(&x, "T0: W x 1 @0:0/0; R y a @1:0/0\nT1: W y 1 @2:0/0; R x b @3:0/0\n"
		       "T2: R z c @0:1/1; bug a==0 && b==0\n");
	assert_int_equal(ask(&x, MODEL_PSO, true), SOLVE_UNSAT);
	text_fini(&x);
}

/* Writes on one core keep their order; one without a place may be anywhere. */
static void cores_order_writes(void **state)
{
	struct text_trace x;

	(void)state;
	text_parse(&x, "T0: W x 1 @0:0\nT1: W x 2 @0:1\nT2: R x a; R x b; bug a==2 && b==1\n");
	assert_int_equal(ask(&x, MODEL_SC, true), SOLVE_UNSAT);
	assert_int_equal(ask(&x, MODEL_PSO, false), SOLVE_UNSAT);
	text_fini(&x);
	text_parse(&x, "T0: W x 1 @0:0\nT1: W x 2\nT2: R x a; R x b; bug a==2 && b==1\n");
	assert_int_equal(ask(&x, MODEL_SC, true), SOLVE_SAT);
	text_fini(&x);
	/* Different cells: not under PSO. */
	text_parse(&x, "T0: W x 1 @0:0\nT1: W y 1 @0:1\nT2: R y a; R x b; bug a==1 && b==0\n");
	assert_int_equal(ask(&x, MODEL_TSO, true), SOLVE_UNSAT);
	assert_int_equal(ask(&x, MODEL_PSO, true), SOLVE_SAT);
	text_fini(&x);
}

static void times_are_followed_first(void **state)
{
	struct strace_solve_opts o = {.model = MODEL_SC};
	struct strace_solution s;
	struct text_trace x;

	(void)state;
	text_parse(&x, "T0: W x 1 ~10; W x 2 ~30\nT1: R x a ~20; bug a==1\n");
	strace_solve(&x.t, &o, &s);
	assert_int_equal(s.answer, SOLVE_SAT);
	assert_int_equal(s.rounds, 1);
	assert_int_equal(s.order.items[1], 2);
	strace_solution_fini(&s);
	/* They are hints: a failure that contradicts them is found all the same. */
	text_fini(&x);
	text_parse(&x, "T0: W x 1 ~10; W x 2 ~30\nT1: R x a ~40; bug a==1\n");
	assert_int_equal(ask(&x, MODEL_SC, false), SOLVE_SAT);
	text_fini(&x);
}

static void no_says_what_it_rests_on(void **state)
{
	struct strace_solve_opts o = {.model = MODEL_SC};
	struct strace_solution s;
	struct strbuf text = STRBUF_INIT;
	struct text_trace x;

	(void)state;
	text_parse(&x, "T0: W x 1\nT1: R x a; path a==2\n");
	strace_solve(&x.t, &o, &s);
	assert_int_equal(s.answer, SOLVE_UNSAT);
	assert_int_equal(s.families, 1u << STRACE_BY_PATH | 1u << STRACE_BY_RW);
	strace_solution_why(&s, &text);
	assert_string_equal(text.text, "the recorded paths, sources of reads contradict each other");
	strbuf_free(&text);
	strace_solution_fini(&s);
	text_fini(&x);
	text_parse(&x, "T0: lock m; W x 1\nT1: lock m; R x a\n");
	strace_solve(&x.t, &o, &s);
	assert_int_equal(s.answer, SOLVE_UNSAT);
	assert_int_equal(s.families, 1u << STRACE_BY_SYNC);
	strace_solution_fini(&s);
	text_fini(&x);
}

/* Four cores with four writes each, and one read that may see all of them. */
static void core_reduction_counts(void **state)
{
	struct strace_solve_opts o = {.model = MODEL_SC};
	struct strace_counts plain, core;
	struct strace_choices n;
	struct text_trace x;

	(void)state;
	text_init(&x);
	strace_add_cell(&x.t, 0);
	for (uint32_t c = 0; c < 4; c++) {
		for (uint32_t i = 0; i < 4; i++) {
			uint32_t e = strace_add_event(&x.t, c, STRACE_WRITE, 0);

			strace_add_part(&x.t, 0, STRACE_NONE,
					  text_expr(&x, TEXT_NUMBER, 0, 0, c * 4 + i + 1));
			x.t.events.items[e].core = (int32_t)c;
			x.t.events.items[e].core_at = i;
		}
	}
	strace_add_event(&x.t, 4, STRACE_READ, 0);
	strace_add_part(&x.t, 0, 0, STRACE_NONE);
	text_seal(&x);
	n = strace_choices(&x.t, 0, 6);
	assert_int_equal(n.plain, 65536);
	assert_int_equal(n.by_core, 625);
	assert_int_equal(n.exact, 125);
	plain = strace_count(&x.t, &o);
	o.by_core = true;
	core = strace_count(&x.t, &o);
	/* Plain: 16 for each of 16 writes and the beginning.  By core: 5, and 4 for the beginning. */
	assert_int_equal(plain.rw, 17 * 16);
	assert_int_equal(core.rw, 16 * 5 + 4);
	assert_int_equal(plain.total - plain.rw, core.total - core.rw);
	text_fini(&x);
}

/* Places of a pair W < R around m sorted writes: (m+1)(m+2)/2, of which m+1 have none between. */
static void core_form_is_the_plain_form(void **state)
{
	static const int want[][2] = {{2, 3}, {3, 6}, {4, 10}, {5, 15}, {6, 21}};

	(void)state;
	for (int m = 1; m <= 5; m++) {
		int good = 0, all = 0;

		for (int w = 0; w <= m; w++) {
			for (int r = w; r <= m; r++) {
				bool plain = true, core = false;

				/* W stands behind w writes, R behind r. */
				for (int i = 0; i < m; i++)
					plain &= i < w || i >= r;
				for (int i = 0; i <= m; i++)
					core |= (i == 0 || i - 1 < w) && (i == m || i >= r);
				assert_int_equal(plain, core);
				good += core;
				all++;
			}
		}
		assert_int_equal(good, want[m - 1][0]);
		assert_int_equal(all, want[m - 1][1]);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(publication_needs_pso),
		cmocka_unit_test(publication_fails_in_two_ways),
		cmocka_unit_test(published_schedule_fails),
		cmocka_unit_test(the_strongest_model_is_named),
		cmocka_unit_test(litmus_shapes),
		cmocka_unit_test(lost_update),
		cmocka_unit_test(check_then_act),
		cmocka_unit_test(deadlocks),
		cmocka_unit_test(signal_wakes_one),
		cmocka_unit_test(bounded_buffer),
		cmocka_unit_test(other_objects),
		cmocka_unit_test(switches_decide),
		cmocka_unit_test(migration_orders),
		cmocka_unit_test(cores_order_writes),
		cmocka_unit_test(times_are_followed_first),
		cmocka_unit_test(no_says_what_it_rests_on),
		cmocka_unit_test(core_reduction_counts),
		cmocka_unit_test(core_form_is_the_plain_form),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
