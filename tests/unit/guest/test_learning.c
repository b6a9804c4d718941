/*
 * Strategies that learn, on small programs of scripts: threads that use objects and create threads.
 *
 * surw: the orders of the uses of an object are equally likely.  All of them are enumerated, by
 * rules of their own, and the numbers of runs compared with a chi-square test; seeds are fixed, so
 * the answer is always the same.
 */
#include "unit.h"

#include "guest/check/mem/buffer.h"
#include "guest/check/sched/draw/know.h"
#include "guest/check/sched/state.h"
#include "support_rt.h"

#define MOST_THREADS 4
#define MOST_ORDERS 256
#define LONGEST 32

struct sched_state sched;
struct rt_thread rt_threads[WIRE_MAX_THREADS];
uint32_t rt_thread_count;

/* A thread is a word: x, y: it uses that object; '.': nothing of interest; 1, 2, 3: it creates that
   thread. */
struct script {
	const char *words[MOST_THREADS];
};

static struct {
	struct wire_ctl ctl;
	unsigned char scratch[8 << 20];
} block;

static struct rt_op ops[MOST_THREADS];
static unsigned at[MOST_THREADS];

/* ---- the strategy's side ---- */

static void stand(const struct script *s, unsigned t)
{
	char c = s->words[t][at[t]];

	ops[t] = (struct rt_op){.kind = EVENT_YIELD, .site = 100 * t + at[t]};
	if (c == 'x' || c == 'y') {
		ops[t].kind = EVENT_RMW;
		ops[t].addr = (uint64_t)c << 8;
	}
	set_put(&sched.enabled, t, c != 0);
	set_put(&sched.busy, t, c != 0);
}

static void create(const struct script *s, unsigned t, unsigned parent)
{
	struct rt_thread *x = &rt_threads[t];

	*x = (struct rt_thread){.tid = (uint16_t)t,
				.slot = (uint16_t)t,
				.parent = t ? (uint16_t)parent : THREAD_NONE,
				.key = t + 1,
				.state = THREAD_PARKED,
				.op = &ops[t],
				.buffer = buffer_of_slot(t)};
	if (rt_thread_count <= t)
		rt_thread_count = t + 1;
	sched.by_slot[t] = x;
	stand(s, t);
	know_born(x);
	if (sched.strategy->born)
		sched.strategy->born(x);
}

/* One run; the threads that used x, in their order, as a word. */
static void run(const struct script *s, const struct strategy *strategy, uint64_t seed, char *order)
{
	struct action a;
	unsigned n = 0;

	memset(&sched, 0, sizeof(sched));
	memset(at, 0, sizeof(at));
	rt_ctl = &block.ctl;
	rt_ctl->scratch =
		(struct wire_area){offsetof(typeof(block), scratch), sizeof(block.scratch)};
	sched.words = 1;
	sched.model = MODEL_SC;
	sched.strategy = strategy;
	rt_thread_count = 0;
	strategy->begin(seed);
	create(s, 0, 0);
	rt_current = &rt_threads[0];
	while (set_any(&sched.enabled)) {
		unsigned t;
		char c;

		sched.steps++;
		sched.strategy->choose(&a);
		know_note(&a);
		assert_int_equal(a.kind, CHOICE_RUN);
		assert_true(set_has(&sched.enabled, a.thread->slot));
		rt_current = a.thread;
		t = a.thread->slot;
		c = s->words[t][at[t]++];
		if (c == 'x')
			order[n++] = (char)('0' + t);
		stand(s, t);
		if (c >= '1' && c <= '3')
			create(s, (unsigned)(c - '0'), t);
		if (s->words[t][at[t]] == 0)
			a.thread->state = THREAD_FINISHED;
		assert_true(n < LONGEST);
	}
	order[n] = 0;
	rt_ctl->result.steps = sched.steps;
	strategy->over();
	rt_ctl->result.runs++;
}

/* ---- all orders ---- */

static char orders[MOST_ORDERS][LONGEST];
static unsigned order_count;

/* Uses of x in every order in which they can happen: what lies between does not count. */
static void enumerate(const struct script *s, const unsigned *where, unsigned born, char *so_far,
		      unsigned n)
{
	bool any = false;

	for (unsigned t = 0; t < MOST_THREADS; t++) {
		unsigned now[MOST_THREADS], alive = born;

		if (!(born >> t & 1) || !s->words[t][where[t]])
			continue;
		any = true;
		memcpy(now, where, sizeof(now));
		if (s->words[t][where[t]] == 'x')
			so_far[n] = (char)('0' + t);
		else if (s->words[t][where[t]] >= '1' && s->words[t][where[t]] <= '3')
			alive |= 1u << (s->words[t][where[t]] - '0');
		now[t]++;
		enumerate(s, now, alive, so_far, n + (s->words[t][where[t]] == 'x'));
	}
	if (any)
		return;
	so_far[n] = 0;
	for (unsigned i = 0; i < order_count; i++)
		if (!strcmp(orders[i], so_far))
			return;
	assert_true(order_count < MOST_ORDERS);
	strcpy(orders[order_count++], so_far);
}

/* How far the numbers are from equal ones, in deviations of what chance would give,
   squared. */
static double deviation(const struct script *s, const struct strategy *strategy, unsigned expected)
{
	unsigned where[MOST_THREADS] = {0}, seen[MOST_ORDERS] = {0}, runs;
	char order[LONGEST];
	double chi = 0;

	order_count = 0;
	enumerate(s, where, 1, order, 0);
	assert_int_equal(order_count, expected);
	memset(&block, 0, sizeof(block));
	run(s, strategy, 1, order); /* shows how often each thread uses what */
	runs = order_count * 200;
	for (unsigned i = 0; i < runs; i++) {
		unsigned k = 0;

		run(s, strategy, 1000 + i, order);
		while (k < order_count && strcmp(orders[k], order))
			k++;
		assert_true(k < order_count);
		seen[k]++;
	}
	for (unsigned i = 0; i < order_count; i++)
		chi += (seen[i] - 200.0) * (seen[i] - 200.0) / 200.0;
	/* The distribution has mean d and variance 2d for d degrees of freedom. */
	chi -= order_count - 1;
	return chi * (chi < 0 ? -chi : chi) / (2.0 * (order_count - 1));
}

static void surw_is_uniform_over_the_uses_of_an_object(void **state)
{
	/* Two threads of two and three uses, one of which has much else to do. */
	assert_true(deviation(&(struct script){{"12", "xx", ".x..x.....x", ""}}, &strategy_surw,
			      10) < 9);
	assert_true(deviation(&(struct script){{"12", "xxx", "xxxx", ""}}, &strategy_surw, 35) < 9);
	/* Three threads. */
	assert_true(deviation(&(struct script){{".1.2.3", "x.x", "..xx", "xx"}}, &strategy_surw,
			      90) < 9);
	/* Who creates takes part itself. */
	assert_true(deviation(&(struct script){{"x1x2x", "xx", "xx.", ""}}, &strategy_surw, 45) <
		    9);
	/* Threads of threads. */
	assert_true(deviation(&(struct script){{"1x", "x2x", "xx", ""}}, &strategy_surw, 15) < 9);
}

/* The test has teeth: a uniform walk over actions is far from it. */
static void a_random_walk_is_not_uniform(void **state)
{
	assert_true(deviation(&(struct script){{"12", "xx", ".x..x.....x", ""}}, &strategy_pos,
			      10) > 100);
}

static void what_nobody_has_seen_is_seen_soon(void **state)
{
	/* Thread 2 must use x between the two uses of thread 1, with much before it. */
	const struct script s = {{"12", "x.x.", "........................x", ""}};
	char order[LONGEST];
	unsigned needed = 0;

	memset(&block, 0, sizeof(block));
	do
		run(&s, &strategy_feedback, 77 + needed++, order);
	while (strcmp(order, "121") && needed < 100);
	assert_true(needed < 20);
}

static void the_mixture_gives_the_same_runs_again(void **state)
{
	const struct script s = {{"12", "x.yx", "y.x.x", ""}};
	char first[100][LONGEST], order[LONGEST];

	memset(&block, 0, sizeof(block));
	for (unsigned i = 0; i < 100; i++)
		run(&s, &strategy_mix, i, first[i]);
	rt_ctl->result.runs = 0; /* another job forgets what was learned */
	for (unsigned i = 0; i < 100; i++) {
		run(&s, &strategy_mix, i, order);
		assert_string_equal(order, first[i]);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(surw_is_uniform_over_the_uses_of_an_object),
		cmocka_unit_test(a_random_walk_is_not_uniform),
		cmocka_unit_test(what_nobody_has_seen_is_seen_soon),
		cmocka_unit_test(the_mixture_gives_the_same_runs_again),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
