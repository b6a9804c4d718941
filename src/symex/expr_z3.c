#include "symex/expr_z3.h"

#include <assert.h>

#include "base/mem.h"
#include "base/vec.h"

struct expr_z3 {
	Z3_context ctx;
	struct expr_pool *pool;
	Z3_ast *terms; /* by node; NULL: not made yet */
	size_t room;
	VEC(expr_id) stack;
	bool guesses;
};

struct expr_z3 *expr_z3_new(Z3_context ctx, struct expr_pool *pool)
{
	struct expr_z3 *z = xcalloc(1, sizeof(*z));

	z->ctx = ctx;
	z->pool = pool;
	return z;
}

void expr_z3_free(struct expr_z3 *z)
{
	if (!z)
		return;
	vec_free(&z->stack);
	free(z->terms);
	free(z);
}

bool expr_z3_guesses(const struct expr_z3 *z)
{
	return z->guesses;
}

static Z3_sort bits(struct expr_z3 *z, unsigned width)
{
	return z3.mk_bv_sort(z->ctx, width);
}

Z3_ast expr_z3_read(struct expr_z3 *z, uint32_t read, unsigned width)
{
	return z3.mk_const(z->ctx, z3.mk_int_symbol(z->ctx, (int)read), bits(z, width));
}

static Z3_ast number(struct expr_z3 *z, unsigned width, expr_value value)
{
	if (width <= 64)
		return z3.mk_unsigned_int64(z->ctx, (uint64_t)value, bits(z, width));
	return z3.mk_concat(z->ctx, number(z, width - 64, value >> 64),
			    number(z, 64, (uint64_t)value));
}

static Z3_ast bit(struct expr_z3 *z, Z3_ast truth)
{
	return z3.mk_ite(z->ctx, truth, number(z, 1, 1), number(z, 1, 0));
}

static Z3_ast not_zero(struct expr_z3 *z, Z3_ast term, unsigned width)
{
	return z3.mk_not(z->ctx, z3.mk_eq(z->ctx, term, number(z, width, 0)));
}

/* One function per operation, kind and widths: equal arguments give equal results, no more. */
static Z3_ast unknown_function(struct expr_z3 *z, const struct expr_node *n, const Z3_ast *arg,
			       unsigned count)
{
	Z3_sort domain[3];
	unsigned from = expr_width(z->pool, n->arg[0]);
	int name = (int)(1u << 30 | (uint32_t)n->op << 22 | (uint32_t)n->width << 14 | from << 7 |
			 (n->aux & 127u));
	Z3_func_decl f;

	for (unsigned i = 0; i < count; i++)
		domain[i] = bits(z, expr_width(z->pool, n->arg[i]));
	z->guesses = true;
	f = z3.mk_func_decl(z->ctx, z3.mk_int_symbol(z->ctx, name), count, domain,
			    bits(z, n->width));
	return z3.mk_app(z->ctx, f, count, arg);
}

static Z3_ast operation(struct expr_z3 *z, const struct expr_node *n, const Z3_ast *a)
{
	Z3_context c = z->ctx;

	switch (n->op) {
	case EXPR_ADD:
		return z3.mk_bvadd(c, a[0], a[1]);
	case EXPR_SUB:
		return z3.mk_bvsub(c, a[0], a[1]);
	case EXPR_MUL:
		return z3.mk_bvmul(c, a[0], a[1]);
	case EXPR_UDIV:
		return z3.mk_bvudiv(c, a[0], a[1]);
	case EXPR_SDIV:
		return z3.mk_bvsdiv(c, a[0], a[1]);
	case EXPR_UREM:
		return z3.mk_bvurem(c, a[0], a[1]);
	case EXPR_SREM:
		return z3.mk_bvsrem(c, a[0], a[1]);
	case EXPR_SHL:
		return z3.mk_bvshl(c, a[0], a[1]);
	case EXPR_LSHR:
		return z3.mk_bvlshr(c, a[0], a[1]);
	case EXPR_ASHR:
		return z3.mk_bvashr(c, a[0], a[1]);
	case EXPR_AND:
		return z3.mk_bvand(c, a[0], a[1]);
	case EXPR_OR:
		return z3.mk_bvor(c, a[0], a[1]);
	case EXPR_XOR:
		return z3.mk_bvxor(c, a[0], a[1]);
	default:
		return NULL;
	}
}

static Z3_ast comparison(struct expr_z3 *z, const struct expr_node *n, const Z3_ast *a)
{
	Z3_context c = z->ctx;

	switch (n->op) {
	case EXPR_EQ:
		return bit(z, z3.mk_eq(c, a[0], a[1]));
	case EXPR_NE:
		return bit(z, z3.mk_not(c, z3.mk_eq(c, a[0], a[1])));
	case EXPR_ULT:
		return bit(z, z3.mk_bvult(c, a[0], a[1]));
	case EXPR_ULE:
		return bit(z, z3.mk_bvule(c, a[0], a[1]));
	case EXPR_SLT:
		return bit(z, z3.mk_bvslt(c, a[0], a[1]));
	case EXPR_SLE:
		return bit(z, z3.mk_bvsle(c, a[0], a[1]));
	default:
		return NULL;
	}
}

static Z3_ast shape(struct expr_z3 *z, const struct expr_node *n, const Z3_ast *a)
{
	unsigned from = expr_width(z->pool, n->arg[0]);

	switch (n->op) {
	case EXPR_ZEXT:
		return z3.mk_zero_ext(z->ctx, n->width - from, a[0]);
	case EXPR_SEXT:
		return z3.mk_sign_ext(z->ctx, n->width - from, a[0]);
	case EXPR_EXTRACT:
		return z3.mk_extract(z->ctx, n->aux + n->width - 1u, n->aux, a[0]);
	case EXPR_CONCAT:
		return z3.mk_concat(z->ctx, a[0], a[1]);
	case EXPR_SELECT:
		return z3.mk_ite(z->ctx, not_zero(z, a[0], from), a[1], a[2]);
	default:
		return NULL;
	}
}

static unsigned arguments_of(const struct expr_node *n)
{
	static const uint8_t arity[EXPR_OPS] = {
#define X(name, text, arguments) arguments,
#include "symex/expr.def"
#undef X
	};

	return arity[n->op];
}

static Z3_ast make(struct expr_z3 *z, expr_id e)
{
	const struct expr_node *n = expr_get(z->pool, e);
	unsigned count = arguments_of(n);
	Z3_ast arg[3] = {NULL, NULL, NULL}, term;
	expr_value value;

	if (n->op == EXPR_READ)
		return expr_z3_read(z, n->read, n->width);
	if (expr_is_const(z->pool, e, &value))
		return number(z, n->width, value);
	for (unsigned i = 0; i < count; i++)
		arg[i] = z->terms[n->arg[i]];
	term = operation(z, n, arg);
	term = term ? term : comparison(z, n, arg);
	term = term ? term : shape(z, n, arg);
	return term ? term : unknown_function(z, n, arg, count);
}

static void make_room(struct expr_z3 *z)
{
	size_t n = expr_count(z->pool);

	if (n <= z->room)
		return;
	z->terms = xrealloc(z->terms, n, sizeof(*z->terms));
	for (size_t i = z->room; i < n; i++)
		z->terms[i] = NULL;
	z->room = n;
}

Z3_ast expr_z3_term(struct expr_z3 *z, expr_id e)
{
	make_room(z);
	vec_push(&z->stack, e);
	while (z->stack.count) {
		expr_id top = vec_last(&z->stack);
		const struct expr_node *n = expr_get(z->pool, top);
		bool ready = true;

		for (unsigned i = 0; !z->terms[top] && i < arguments_of(n); i++)
			if (!z->terms[n->arg[i]]) {
				vec_push(&z->stack, n->arg[i]);
				ready = false;
			}
		if (!ready)
			continue;
		if (!z->terms[top])
			z->terms[top] = make(z, top);
		z->stack.count--;
	}
	assert(z->terms[e]);
	return z->terms[e];
}

Z3_ast expr_z3_holds(struct expr_z3 *z, expr_id e)
{
	Z3_ast term = expr_z3_term(z, e);

	return not_zero(z, term, expr_width(z->pool, e));
}
