#include "memo/terms.h"

#include <assert.h>

static const uint8_t arity[EXPR_OPS] = {
#define X(name, text, arguments) arguments,
#include "symex/expr.def"
#undef X
};

static const char *const texts[EXPR_OPS] = {
#define X(name, text, arguments) text,
#include "symex/expr.def"
#undef X
};

unsigned memo_arity(unsigned op)
{
	return op < EXPR_OPS ? arity[op] : 0;
}

bool memo_operation(unsigned op)
{
	return op <= EXPR_SELECT;
}

void memo_terms_free(struct memo_terms *t)
{
	vec_free(&t->inputs);
	vec_free(&t->terms);
	vec_free(&t->roots);
}

/* ---- made from expressions ---- */

static uint32_t input_of(struct memo_terms *t, const struct memo_input *in)
{
	for (uint32_t i = 0; i < t->inputs.count; i++)
		if (memo_input_equal(&t->inputs.items[i], in))
			return i;
	vec_push(&t->inputs, *in);
	return (uint32_t)t->inputs.count - 1;
}

static bool same_term(const struct memo_term *a, const struct memo_term *b)
{
	return a->op == b->op && a->width == b->width && a->aux == b->aux &&
	       a->arg[0] == b->arg[0] && a->arg[1] == b->arg[1] && a->arg[2] == b->arg[2] &&
	       a->low == b->low && a->high == b->high;
}

static uint32_t term_of(struct memo_terms *t, const struct memo_term *term)
{
	for (uint32_t i = 0; i < t->terms.count; i++)
		if (same_term(&t->terms.items[i], term))
			return i;
	vec_push(&t->terms, *term);
	return (uint32_t)t->terms.count - 1;
}

/* Nodes of one expression and the terms they became. */
struct made {
	VEC(expr_id) nodes;
	VEC(uint32_t) terms;
};

static bool find(const struct made *m, expr_id e, uint32_t *term)
{
	for (size_t i = 0; i < m->nodes.count; i++)
		if (m->nodes.items[i] == e) {
			*term = m->terms.items[i];
			return true;
		}
	return false;
}

/* All arguments are terms already. */
static uint32_t make(struct memo_terms *t, struct expr_pool *pool, expr_id e,
		     const struct memo_input *inputs, const uint32_t arg[3])
{
	const struct expr_node *n = expr_get(pool, e);
	struct memo_term term = {.op = n->op, .width = n->width, .aux = n->aux};
	expr_value value;

	if (expr_is_const(pool, e, &value)) {
		term = (struct memo_term){.op = EXPR_CONST,
					  .width = (uint8_t)expr_width(pool, e),
					  .low = (uint64_t)value,
					  .high = (uint64_t)(value >> 64)};
	} else if (n->op == EXPR_READ) {
		term.aux = 0;
		term.arg[0] = input_of(t, &inputs[n->read]);
	} else {
		for (unsigned i = 0; i < arity[n->op]; i++)
			term.arg[i] = arg[i];
	}
	return term_of(t, &term);
}

static bool speakable(struct expr_pool *pool, expr_id e)
{
	VEC(expr_id) todo = VEC_INIT, seen = VEC_INIT;
	bool ok = true;

	vec_push(&todo, e);
	while (ok && todo.count) {
		expr_id top = vec_pop(&todo);
		const struct expr_node *n = expr_get(pool, top);
		bool known = false;

		for (size_t i = 0; i < seen.count && !known; i++)
			known = seen.items[i] == top;
		if (known)
			continue;
		vec_push(&seen, top);
		ok = memo_operation(n->op) && seen.count < 100000;
		for (unsigned i = 0; ok && i < arity[n->op]; i++)
			vec_push(&todo, n->arg[i]);
	}
	vec_free(&todo);
	vec_free(&seen);
	return ok;
}

bool memo_terms_add(struct memo_terms *t, struct expr_pool *pool, expr_id e,
		    const struct memo_input *inputs)
{
	VEC(expr_id) todo = VEC_INIT;
	struct made made = {VEC_INIT, VEC_INIT};
	uint32_t root = 0;

	if (!speakable(pool, e))
		return false;
	vec_push(&todo, e);
	while (todo.count) {
		expr_id top = vec_last(&todo);
		const struct expr_node *n = expr_get(pool, top);
		uint32_t arg[3] = {0, 0, 0};
		bool ready = true;
		expr_value value;

		for (unsigned i = 0; i < arity[n->op] && !expr_is_const(pool, top, &value); i++)
			if (!find(&made, n->arg[i], &arg[i])) {
				vec_push(&todo, n->arg[i]);
				ready = false;
			}
		if (!ready)
			continue;
		(void)vec_pop(&todo);
		if (find(&made, top, &root))
			continue;
		root = make(t, pool, top, inputs, arg);
		vec_push(&made.nodes, top);
		vec_push(&made.terms, root);
	}
	vec_push(&t->roots, root);
	vec_free(&todo);
	vec_free(&made.nodes);
	vec_free(&made.terms);
	return true;
}

/* ---- checked ---- */

static bool widths_fit(const struct memo_term *x, const unsigned w[3])
{
	switch (x->op) {
	case EXPR_ZEXT:
	case EXPR_SEXT:
		return x->width >= w[0];
	case EXPR_EXTRACT:
		return (unsigned)x->aux + x->width <= w[0];
	case EXPR_CONCAT:
		return w[0] + w[1] == x->width;
	case EXPR_SELECT:
		return w[0] == 1 && w[1] == x->width && w[2] == x->width;
	case EXPR_EQ:
	case EXPR_NE:
	case EXPR_ULT:
	case EXPR_ULE:
	case EXPR_SLT:
	case EXPR_SLE:
		return x->width == 1 && w[0] == w[1];
	default:
		return w[0] == x->width && w[1] == x->width;
	}
}

static bool constant_fits(const struct memo_term *x)
{
	expr_value v = (expr_value)x->high << 64 | x->low;

	return x->width == EXPR_MAX_WIDTH || !(v >> x->width);
}

static bool term_valid(const struct memo_terms *t, uint32_t index)
{
	const struct memo_term *x = &t->terms.items[index];
	unsigned w[3] = {0, 0, 0};

	if (!memo_operation(x->op) || x->width < 1 || x->width > EXPR_MAX_WIDTH)
		return false;
	if (x->op == EXPR_CONST)
		return constant_fits(x);
	if (x->op == EXPR_READ)
		return x->arg[0] < t->inputs.count && t->inputs.items[x->arg[0]].width == x->width;
	for (unsigned i = 0; i < arity[x->op]; i++) {
		if (x->arg[i] >= index)
			return false;
		w[i] = t->terms.items[x->arg[i]].width;
	}
	return widths_fit(x, w);
}

int memo_terms_check(const struct memo_terms *t, struct err *e)
{
	for (size_t i = 0; i < t->inputs.count; i++)
		if (!memo_input_valid(&t->inputs.items[i]))
			return err_set(e, ERR_FORMAT, "input %zu makes no sense", i);
	for (size_t i = 0; i < t->terms.count; i++)
		if (!term_valid(t, (uint32_t)i))
			return err_set(e, ERR_FORMAT, "term %zu makes no sense", i);
	for (size_t i = 0; i < t->roots.count; i++)
		if (t->roots.items[i] >= t->terms.count)
			return err_set(e, ERR_FORMAT, "condition %zu makes no sense", i);
	return 0;
}

/* ---- evaluated ---- */

/* A division by 0 would have ended the program: other inputs of the kind are none of ours. */
static bool divides_by_zero(const struct memo_term *x, expr_value by)
{
	return x->op >= EXPR_UDIV && x->op <= EXPR_SREM && !by;
}

static bool compute(const struct memo_terms *t, const struct memo_given *given, uint32_t index,
		    expr_value *values)
{
	const struct memo_term *x = &t->terms.items[index];
	expr_value arg[3] = {0, 0, 0};
	unsigned widths[3] = {0, 0, 0};
	uint64_t input;

	if (x->op == EXPR_CONST) {
		values[index] = (expr_value)x->high << 64 | x->low;
		return true;
	}
	if (x->op == EXPR_READ) {
		if (!memo_input_value(given, &t->inputs.items[x->arg[0]], &input))
			return false;
		values[index] = input;
		return true;
	}
	for (unsigned i = 0; i < arity[x->op]; i++) {
		arg[i] = values[x->arg[i]];
		widths[i] = t->terms.items[x->arg[i]].width;
	}
	if (divides_by_zero(x, arg[1]))
		return false;
	values[index] = expr_compute((enum expr_op)x->op, x->width, x->aux, arg, widths);
	return true;
}

bool memo_terms_hold(const struct memo_terms *t, const struct memo_given *given)
{
	expr_value *values = xcalloc(t->terms.count + 1, sizeof(*values));
	bool holds = true;

	for (uint32_t i = 0; i < t->terms.count && holds; i++)
		holds = compute(t, given, i, values);
	for (size_t i = 0; i < t->roots.count && holds; i++)
		holds = values[t->roots.items[i]] != 0;
	free(values);
	return holds;
}

/* ---- printed ---- */

#define DEPTH_MAX 40
#define LENGTH_MAX 100000 /* terms are shared: written out they may be many more */

static void print_term(const struct memo_terms *t, uint32_t index, unsigned depth,
		       struct strbuf *to);

static void print_constant(const struct memo_term *x, struct strbuf *to)
{
	unsigned shift = x->width < 64 ? 64u - x->width : 0;
	int64_t value = (int64_t)(x->low << shift) >> shift;

	if (x->high)
		strbuf_addf(to, "0x%llx%016llx", (unsigned long long)x->high,
			    (unsigned long long)x->low);
	else if (x->width == 1)
		strbuf_addf(to, "%u", (unsigned)x->low);
	else
		strbuf_addf(to, "%lld", (long long)value);
}

static bool is_false(const struct memo_terms *t, uint32_t index)
{
	const struct memo_term *x = &t->terms.items[index];

	return x->op == EXPR_CONST && x->width == 1 && !x->low;
}

static void print_operation(const struct memo_terms *t, const struct memo_term *x, unsigned depth,
			    struct strbuf *to)
{
	bool infix = arity[x->op] == 2 && x->op != EXPR_CONCAT;

	/* A wider number of the same value. */
	if (x->op == EXPR_ZEXT || x->op == EXPR_SEXT) {
		print_term(t, x->arg[0], depth + 1, to);
		return;
	}
	if (x->op == EXPR_EQ && is_false(t, x->arg[1])) {
		strbuf_add(to, "!");
		print_term(t, x->arg[0], depth + 1, to);
		return;
	}
	strbuf_add(to, infix ? "(" : texts[x->op]);
	if (x->op == EXPR_EXTRACT)
		strbuf_addf(to, "[%u:%u]", x->aux + x->width - 1u, x->aux);
	if (!infix)
		strbuf_add(to, "(");
	for (unsigned i = 0; i < arity[x->op]; i++) {
		if (i && infix)
			strbuf_addf(to, " %s ", texts[x->op]);
		else if (i)
			strbuf_add(to, ", ");
		print_term(t, x->arg[i], depth + 1, to);
	}
	strbuf_add(to, ")");
}

static void print_term(const struct memo_terms *t, uint32_t index, unsigned depth,
		       struct strbuf *to)
{
	const struct memo_term *x = &t->terms.items[index];

	if (depth > DEPTH_MAX || to->length > LENGTH_MAX)
		strbuf_add(to, "…");
	else if (x->op == EXPR_CONST)
		print_constant(x, to);
	else if (x->op == EXPR_READ)
		memo_input_print(&t->inputs.items[x->arg[0]], to);
	else
		print_operation(t, x, depth, to);
}

void memo_terms_print(const struct memo_terms *t, struct strbuf *to)
{
	if (!t->roots.count)
		strbuf_add(to, "true");
	for (size_t i = 0; i < t->roots.count; i++) {
		strbuf_add(to, i ? " && " : "");
		print_term(t, t->roots.items[i], 0, to);
	}
}
