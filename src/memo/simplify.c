#include "memo/simplify.h"

#include <assert.h>

#include "base/clock.h"
#include "symex/expr_z3.h"

#define PATIENCE_MS 250		       /* for one question */
#define BUDGET_NS UINT64_C(3000000000) /* for all of them */

struct memo_solver {
	Z3_context ctx;
	Z3_solver solver;
	struct expr_pool *pool;
	struct expr_z3 *terms;
	VEC(struct memo_input) inputs; /* by read of the pool */
	uint64_t until;
};

struct memo_solver *memo_solver_new(void)
{
	struct memo_solver *s;
	Z3_config config;
	Z3_params params;

	if (!z3_door_open())
		return NULL;
	s = xcalloc(1, sizeof(*s));
	config = z3.mk_config();
	s->ctx = z3.mk_context(config);
	z3.del_config(config);
	s->solver = z3.mk_solver_for_logic(s->ctx, z3.mk_string_symbol(s->ctx, "QF_BV"));
	z3.solver_inc_ref(s->ctx, s->solver);
	params = z3.mk_params(s->ctx);
	z3.params_inc_ref(s->ctx, params);
	z3.params_set_uint(s->ctx, params, z3.mk_string_symbol(s->ctx, "timeout"), PATIENCE_MS);
	z3.solver_set_params(s->ctx, s->solver, params);
	z3.params_dec_ref(s->ctx, params);
	s->until = clock_now_ns() + BUDGET_NS;
	s->pool = expr_pool_new();
	s->terms = expr_z3_new(s->ctx, s->pool);
	return s;
}

void memo_solver_free(struct memo_solver *s)
{
	if (!s)
		return;
	expr_z3_free(s->terms);
	expr_pool_free(s->pool);
	vec_free(&s->inputs);
	z3.solver_dec_ref(s->ctx, s->solver);
	z3.del_context(s->ctx);
	free(s);
}

static Z3_lbool check(struct memo_solver *s, unsigned count, const Z3_ast *assumptions)
{
	if (clock_now_ns() > s->until)
		return Z3_L_UNDEF;
	return z3.solver_check_assumptions(s->ctx, s->solver, count, assumptions);
}

static uint32_t read_of(struct memo_solver *s, const struct memo_input *in)
{
	for (uint32_t i = 0; i < s->inputs.count; i++)
		if (memo_input_equal(&s->inputs.items[i], in))
			return i;
	vec_push(&s->inputs, *in);
	return (uint32_t)s->inputs.count - 1;
}

/* Each term as a node of the solver's pool; freed by the caller. */
static expr_id *nodes_of(struct memo_solver *s, const struct memo_terms *t)
{
	expr_id *made = xcalloc(t->terms.count + 1, sizeof(*made));

	for (size_t i = 0; i < t->terms.count; i++) {
		const struct memo_term *x = &t->terms.items[i];
		expr_id arg[3] = {0, 0, 0};

		for (unsigned k = 0; k < memo_arity(x->op); k++)
			arg[k] = made[x->arg[k]];
		if (x->op == EXPR_CONST)
			made[i] = expr_const(s->pool, x->width, (expr_value)x->high << 64 | x->low);
		else if (x->op == EXPR_READ)
			made[i] = expr_read(s->pool, read_of(s, &t->inputs.items[x->arg[0]]),
					    x->width);
		else
			made[i] = expr_make(s->pool, (enum expr_op)x->op, x->width, x->aux, arg);
	}
	return made;
}

static Z3_ast holds(struct memo_solver *s, expr_id node)
{
	unsigned width = expr_width(s->pool, node);

	if (width == 1)
		return expr_z3_holds(s->terms, node);
	return expr_z3_holds(s->terms,
			     expr_binary(s->pool, EXPR_NE, node, expr_const(s->pool, width, 0)));
}

/* Each condition has a switch; the one looked at is asked for the other way round. */
struct question {
	struct memo_solver *s;
	const struct memo_terms *t;
	Z3_ast *conditions, *switches;
	bool *dropped;
};

static Z3_lbool ask(const struct question *q, size_t without)
{
	struct memo_solver *s = q->s;
	VEC(Z3_ast) assumptions = VEC_INIT;
	Z3_lbool answer;

	for (size_t i = 0; i < q->t->roots.count; i++)
		if (i != without && !q->dropped[i])
			vec_push(&assumptions, q->switches[i]);
	z3.solver_push(s->ctx, s->solver);
	z3.solver_assert(s->ctx, s->solver, z3.mk_not(s->ctx, q->conditions[without]));
	answer = check(s, (unsigned)assumptions.count, assumptions.items);
	z3.solver_pop(s->ctx, s->solver, 1);
	vec_free(&assumptions);
	return answer;
}

static bool mentioned_before(const struct memo_terms *t, size_t i)
{
	for (size_t k = 0; k < i; k++)
		if (t->roots.items[k] == t->roots.items[i])
			return true;
	return false;
}

static void drop_repeated(struct memo_terms *t)
{
	size_t kept = 0;

	for (size_t i = 0; i < t->roots.count; i++)
		if (!mentioned_before(t, i))
			t->roots.items[kept++] = t->roots.items[i];
	t->roots.count = kept;
}

/* Terms and inputs that no condition uses any more. */
static void sweep(struct memo_terms *t)
{
	uint32_t *term = xcalloc(t->terms.count + 1, sizeof(*term));
	uint32_t *input = xcalloc(t->inputs.count + 1, sizeof(*input));
	uint32_t terms = 0, inputs = 0;

	for (size_t i = 0; i < t->roots.count; i++)
		term[t->roots.items[i]] = 1;
	for (size_t i = t->terms.count; i-- > 0;)
		for (unsigned k = 0; term[i] && k < memo_arity(t->terms.items[i].op); k++)
			term[t->terms.items[i].arg[k]] = 1;
	for (size_t i = 0; i < t->terms.count; i++) {
		struct memo_term x = t->terms.items[i];

		if (!term[i])
			continue;
		if (x.op == EXPR_READ) {
			uint32_t *to = &input[x.arg[0]];

			if (!*to) {
				struct memo_input in = t->inputs.items[x.arg[0]];

				t->inputs.items[inputs] = in;
				*to = ++inputs;
			}
			x.arg[0] = *to - 1;
		}
		for (unsigned k = 0; k < memo_arity(x.op); k++)
			x.arg[k] = term[x.arg[k]] - 1;
		t->terms.items[terms] = x;
		term[i] = ++terms;
	}
	for (size_t i = 0; i < t->roots.count; i++)
		t->roots.items[i] = term[t->roots.items[i]] - 1;
	t->terms.count = terms;
	t->inputs.count = inputs;
	free(term);
	free(input);
}

static void drop_implied(struct memo_solver *s, struct memo_terms *t)
{
	size_t n = t->roots.count, kept = 0;
	struct question q = {.s = s, .t = t};
	expr_id *nodes = nodes_of(s, t);

	q.conditions = xcalloc(n + 1, sizeof(*q.conditions));
	q.switches = xcalloc(n + 1, sizeof(*q.switches));
	q.dropped = xcalloc(n + 1, sizeof(*q.dropped));
	z3.solver_push(s->ctx, s->solver);
	for (size_t i = 0; i < n; i++) {
		q.conditions[i] = holds(s, nodes[t->roots.items[i]]);
		q.switches[i] = z3.mk_fresh_const(s->ctx, "c", z3.mk_bool_sort(s->ctx));
		z3.solver_assert(s->ctx, s->solver,
				 z3.mk_implies(s->ctx, q.switches[i], q.conditions[i]));
	}
	for (size_t i = 0; i < n; i++)
		q.dropped[i] = ask(&q, i) == Z3_L_FALSE;
	z3.solver_pop(s->ctx, s->solver, 1);
	for (size_t i = 0; i < n; i++)
		if (!q.dropped[i])
			t->roots.items[kept++] = t->roots.items[i];
	t->roots.count = kept;
	free(nodes);
	free(q.conditions);
	free(q.switches);
	free(q.dropped);
}

void memo_simplify(struct memo_solver *s, struct memo_terms *t)
{
	drop_repeated(t);
	if (s)
		drop_implied(s, t);
	sweep(t);
}

int memo_implies(void *arg, const struct memo_terms *a, const struct memo_terms *b)
{
	struct memo_solver *s = arg;
	expr_id *of_a, *of_b;
	Z3_lbool answer = Z3_L_FALSE;

	if (!s)
		return -1;
	of_a = nodes_of(s, a);
	of_b = nodes_of(s, b);
	z3.solver_push(s->ctx, s->solver);
	for (size_t i = 0; i < a->roots.count; i++)
		z3.solver_assert(s->ctx, s->solver, holds(s, of_a[a->roots.items[i]]));
	for (size_t i = 0; i < b->roots.count && answer == Z3_L_FALSE; i++) {
		z3.solver_push(s->ctx, s->solver);
		z3.solver_assert(s->ctx, s->solver,
				 z3.mk_not(s->ctx, holds(s, of_b[b->roots.items[i]])));
		answer = check(s, 0, NULL);
		z3.solver_pop(s->ctx, s->solver, 1);
	}
	z3.solver_pop(s->ctx, s->solver, 1);
	free(of_a);
	free(of_b);
	return answer == Z3_L_FALSE ? 1 : answer == Z3_L_TRUE ? 0 : -1;
}
