/*
 * Complete exploration of programs small enough to count their states by hand, on an executor that
 * interprets them: straight lines of reads and writes, sequentially consistent.
 */
#include "unit.h"

#include "explore/published/explore.h"
#include "wire/ctl.h"

#define THREADS 3
#define OPS 4
#define CELLS 4

struct op {
	uint8_t op; /* SOLVE_READ, SOLVE_WRITE; SOLVE_OPS: the end */
	uint64_t object, value;
};

#define R(x) {SOLVE_READ, x, 0}
#define W(x, v) {SOLVE_WRITE, x, v}
#define END {SOLVE_OPS, 0, 0}

struct program {
	struct explore_executor base;
	struct op ops[THREADS][OPS];
	uint64_t memory[CELLS];
	uint32_t next[THREADS];
};

static bool is_over(const struct program *p, uint32_t t)
{
	return p->next[t] == OPS || p->ops[t][p->next[t]].op == SOLVE_OPS;
}

static void perform(struct program *p, uint32_t t, struct explore_run *out)
{
	const struct op *op = &p->ops[t][p->next[t]];
	struct solve_event e = {.thread = t,
				.index = p->next[t]++,
				.op = op->op,
				.writes = op->op == SOLVE_WRITE,
				.site = t * OPS + p->next[t],
				.object = op->object};

	if (op->op == SOLVE_READ)
		e.value = p->memory[op->object];
	else
		p->memory[op->object] = e.written = op->value;
	vec_push(&out->history, e);
}

static int execute(struct explore_executor *x, const struct solve_step *prefix, size_t n,
		   struct explore_run *out, struct err *e)
{
	struct program *p = (struct program *)x;

	memset(p->memory, 0, sizeof(p->memory));
	memset(p->next, 0, sizeof(p->next));
	vec_clear(&out->history);
	vec_clear(&out->pending);
	out->outcome = EXPLORE_ENDED;
	out->failure = out->marks = 0;
	for (size_t i = 0; i < n; i++) {
		if (is_over(p, prefix[i].thread) || p->next[prefix[i].thread] != prefix[i].index) {
			out->outcome = EXPLORE_DIVERGED;
			return 0;
		}
		perform(p, prefix[i].thread, out);
	}
	out->prefix = n;
	for (uint32_t t = 0; t < THREADS; t++)
		while (!is_over(p, t))
			perform(p, t, out);
	return 0;
}

static uint64_t initial(struct explore_executor *x, uint64_t object)
{
	return 0;
}

static struct explore_stats explored(struct program *p, const struct explore_opts *o)
{
	struct explore_stats stats = {0};
	struct err e = ERR_INIT;

	p->base = (struct explore_executor){.model = MODEL_SC, .execute = execute, .initial = initial};
	assert_ok(explore(&p->base, o, &stats, &e), e);
	return stats;
}

static const struct explore_opts complete = {.algorithm = EXPLORE_COMPLETE};

static void threads_that_share_nothing_have_one_state(void **state)
{
	struct program p = {.ops = {{W(0, 1), R(0), END}, {W(1, 1), R(1), END}, {END}}};
	struct explore_stats s = explored(&p, &complete);

	assert_int_equal(s.states, 1);
	assert_int_equal(s.executions, 1);
}

static void store_buffering_has_three_states(void **state)
{
	struct program p = {.ops = {{W(0, 1), R(1), END}, {W(1, 1), R(0), END}, {END}}};
	struct explore_stats s = explored(&p, &complete);

	assert_int_equal(s.states, 3); /* both reads 0 would need a cycle */
	assert_int_equal(s.unknown, 0);
	assert_int_equal(s.diverged, 0);
}

static void message_passing_has_three_states(void **state)
{
	struct program p = {.ops = {{W(0, 1), W(1, 1), END}, {R(1), R(0), END}, {END}}};

	assert_int_equal(explored(&p, &complete).states, 3);
}

/* Two writers of different values and a reader: 0, either one. */
static void a_read_sees_every_write_that_can_come_before(void **state)
{
	struct program p = {.ops = {{W(0, 1), END}, {W(0, 2), END}, {R(0), END}}};

	assert_int_equal(explored(&p, &complete).states, 3);
}

/* Values count, not writers: the second write of the same value shows nothing new. */
static void writers_of_one_value_are_one_state(void **state)
{
	struct program p = {.ops = {{W(0, 1), END}, {W(0, 1), END}, {R(0), END}}};

	assert_int_equal(explored(&p, &complete).states, 2);
}

static void every_state_is_executed_once(void **state)
{
	struct program p = {.ops = {{W(0, 1), R(1), END}, {W(1, 1), R(0), END}, {R(0), R(1), END}}};
	struct explore_stats s = explored(&p, &complete);

	assert_int_equal(s.executions, s.states);
}

static void all_backends_find_the_same_states(void **state)
{
	struct program p = {.ops = {{W(0, 1), R(1), END}, {W(1, 1), R(0), END}, {R(0), R(1), END}}};
	struct explore_opts o = complete;
	uint64_t states = explored(&p, &o).states;

	o.backend = solve_backend_enum;
	assert_int_equal(explored(&p, &o).states, states);
	o.backend = NULL;
	o.last_in_first_out = true;
	assert_int_equal(explored(&p, &o).states, states);
}

static void a_limit_of_executions_is_kept(void **state)
{
	struct program p = {.ops = {{W(0, 1), R(1), END}, {W(1, 1), R(0), END}, {END}}};
	struct explore_opts o = complete;

	o.max_executions = 2;
	assert_int_equal(explored(&p, &o).executions, 2);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(threads_that_share_nothing_have_one_state),
		cmocka_unit_test(store_buffering_has_three_states),
		cmocka_unit_test(message_passing_has_three_states),
		cmocka_unit_test(a_read_sees_every_write_that_can_come_before),
		cmocka_unit_test(writers_of_one_value_are_one_state),
		cmocka_unit_test(every_state_is_executed_once),
		cmocka_unit_test(all_backends_find_the_same_states),
		cmocka_unit_test(a_limit_of_executions_is_kept),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
