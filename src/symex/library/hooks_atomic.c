/* Atomic operations that read and write: what instrumented code calls for them. */
#include <assert.h>
#include <string.h>

#include "symex/library/library.h"
#include "wire/ctl.h"
#include "wire/hooks.h"

static expr_id operand(struct machine *m, uint64_t value, expr_id e, unsigned width)
{
	return e ? expr_resize(m->pool, e, width, false) : expr_const(m->pool, width, value);
}

static const struct {
	enum expr_op op;
	bool invert, swap; /* ~result; select */
} rmw[] = {
	[HEDDLE_RMW_ADD] = {EXPR_ADD, false, false},
	[HEDDLE_RMW_SUB] = {EXPR_SUB, false, false},
	[HEDDLE_RMW_AND] = {EXPR_AND, false, false},
	[HEDDLE_RMW_NAND] = {EXPR_AND, true, false},
	[HEDDLE_RMW_OR] = {EXPR_OR, false, false},
	[HEDDLE_RMW_XOR] = {EXPR_XOR, false, false},
	[HEDDLE_RMW_MAX] = {EXPR_SLT, false, true},
	[HEDDLE_RMW_MIN] = {EXPR_SLT, false, true},
	[HEDDLE_RMW_UMAX] = {EXPR_ULT, false, true},
	[HEDDLE_RMW_UMIN] = {EXPR_ULT, false, true},
	[HEDDLE_RMW_FADD] = {EXPR_FADD, false, false},
	[HEDDLE_RMW_FSUB] = {EXPR_FSUB, false, false},
};

/* One computation for numbers and expressions: constants fold. */
static expr_id combine(struct machine *m, expr_id old, expr_id with, uint32_t op)
{
	struct expr_pool *p = m->pool;
	unsigned width = expr_width(p, old);
	expr_id e;

	if (op == HEDDLE_RMW_XCHG || op > HEDDLE_RMW_FSUB)
		return with;
	e = expr_binary(p, rmw[op].op, old, with);
	if (rmw[op].invert)
		e = expr_binary(p, EXPR_XOR, e, expr_const(p, width, ~(expr_value)0));
	if (rmw[op].swap) {
		bool greatest = op == HEDDLE_RMW_MAX || op == HEDDLE_RMW_UMAX;
		expr_id arg[3] = {e, greatest ? with : old, greatest ? old : with};

		e = expr_make(p, EXPR_SELECT, width, 0, arg);
	}
	return e;
}

static uint32_t rmw_aux(uint32_t order, uint64_t old)
{
	return order | (uint32_t)old << 3;
}

static void write_result(struct machine *m, struct library_call *k, struct symex_event *e,
			 uint64_t addr, uint32_t bytes, expr_id fresh)
{
	expr_value value;

	if (expr_is_const(m->pool, fresh, &value))
		access_write(m, k->t, e, addr, bytes, (uint64_t)value, EXPR_NONE);
	else
		access_write(m, k->t, e, addr, bytes, 0, fresh);
}

static enum library_result atomic_rmw(struct machine *m, struct library_call *k)
{
	uint64_t addr = library_arg(m, k, 0), old;
	uint32_t bytes = (uint32_t)k->arg[2], op = (uint32_t)k->arg[3], order = (uint32_t)k->arg[4];
	struct symex_event *e, scratch = {0};
	expr_id old_expr, fresh;

	if (!library_usable(m, k, addr, bytes, true))
		return LIBRARY_END;
	e = k->t->controlled ? machine_event(m, k->t, EVENT_RMW, k->site, addr, 0, order)
			     : &scratch;
	e->size = (uint8_t)bytes;
	if (k->t->controlled)
		access_read(m, k->t, e, addr, bytes, &old, &old_expr);
	else
		(void)mem_load(k->t->space, addr, bytes, &old, &old_expr);
	fresh = combine(m, operand(m, old, old_expr, bytes * 8),
			operand(m, k->arg[1], k->expr[1], bytes * 8), op);
	if (k->t->controlled) {
		write_result(m, k, e, addr, bytes, fresh);
		e->aux = rmw_aux(order, old);
	} else {
		expr_value value = 0;

		(void)expr_is_const(m->pool, fresh, &value);
		(void)mem_store(k->t->space, addr, bytes, (uint64_t)value, EXPR_NONE);
	}
	k->result = old;
	k->result_expr = old_expr;
	return LIBRARY_DONE;
}

/* Whether the values are equal: known, or asked for and then a condition of the path. */
static bool same_value(struct machine *m, struct library_call *k, expr_id old, expr_id expected,
		       uint64_t addr)
{
	expr_id equal = expr_binary(m->pool, EXPR_EQ, old, expected);
	struct symex_question q = {.ask = SYMEX_ASK_OUTCOME,
				   .site = k->site,
				   .addr = addr,
				   .expr = equal,
				   .kind = EVENT_RMW};
	expr_value value;
	uint64_t way = 0;

	if (expr_is_const(m->pool, equal, &value))
		return value != 0;
	switch (machine_ask(m, k->t, &q, &way)) {
	case SYMEX_ANSWER_IS:
		machine_condition(m, k->t, way ? equal : expr_not(m->pool, equal), SYMEX_WHY_PATH,
				  k->site, SYMEX_NONE, SYMEX_NONE);
		return way != 0;
	case SYMEX_ANSWER_STOP:
		machine_end(m, k->t, SYMEX_END_STOPPED, k->site, "the record ends here");
		machine_escape(m);
	default:
		return true; /* both are kept by write_if() */
	}
}

/*
 * The exchange of a compare and swap of which nobody knows whether it succeeds: one event whose
 * write depends on what was read.
 */
static void swap(struct machine *m, struct library_call *k, uint64_t addr, expr_id expected,
		 expr_id desired, uint32_t bytes, uint32_t order)
{
	struct symex_event *e = machine_event(m, k->t, EVENT_RMW, k->site, addr, 0, order);
	expr_id old_expr, old, equal, arg[3];
	uint64_t seen;
	bool same;

	e->size = (uint8_t)bytes;
	access_read(m, k->t, e, addr, bytes, &seen, &old_expr);
	old = operand(m, seen, old_expr, bytes * 8);
	same = same_value(m, k, old, expected, addr);
	k->result = seen;
	k->result_expr = old_expr;
	if (!same) {
		e->kind = EVENT_CAS_FAIL;
		e->aux = order;
		return;
	}
	equal = expr_binary(m->pool, EXPR_EQ, old, expected);
	arg[0] = equal;
	arg[1] = desired;
	arg[2] = old;
	write_result(m, k, e, addr, bytes, expr_make(m->pool, EXPR_SELECT, bytes * 8, 0, arg));
	e->aux = rmw_aux(order, seen);
}

static enum library_result atomic_cas(struct machine *m, struct library_call *k)
{
	uint64_t addr = library_arg(m, k, 0);
	uint32_t bytes = (uint32_t)k->arg[3];
	expr_id expected = operand(m, k->arg[1], k->expr[1], bytes * 8);
	expr_id desired = operand(m, k->arg[2], k->expr[2], bytes * 8);

	if (!library_usable(m, k, addr, bytes, true))
		return LIBRARY_END;
	if (k->t->controlled) {
		swap(m, k, addr, expected, desired, bytes, (uint32_t)k->arg[4]);
		return LIBRARY_DONE;
	}
	(void)mem_load(k->t->space, addr, bytes, &k->result, &k->result_expr);
	if (k->result == k->arg[1])
		(void)mem_store(k->t->space, addr, bytes, k->arg[2], EXPR_NONE);
	return LIBRARY_DONE;
}

static enum library_result atomic_cas_weak(struct machine *m, struct library_call *k)
{
	uint64_t addr = library_arg(m, k, 0), at = library_arg(m, k, 1), wanted, way;
	uint32_t bytes = (uint32_t)k->arg[3];
	expr_id expected, desired = operand(m, k->arg[2], k->expr[2], bytes * 8), e, old;
	const struct symex_event *last;

	if (!library_usable(m, k, addr, bytes, true))
		return LIBRARY_END;
	(void)mem_load(k->t->space, at, bytes, &wanted, &e);
	expected = operand(m, wanted, e, bytes * 8);
	if (!k->t->controlled) {
		(void)mem_load(k->t->space, addr, bytes, &k->result, &e);
		if (k->result == wanted)
			(void)mem_store(k->t->space, addr, bytes, k->arg[2], EXPR_NONE);
		(void)mem_store(k->t->space, at, 8, k->result, EXPR_NONE);
		return library_return(k, k->result == wanted);
	}
	/* It may fail for no reason: only whoever saw it knows. */
	if (library_outcome(m, k, EVENT_CAS_FAIL, addr, &way) && way) {
		struct symex_event *f = machine_event(m, k->t, EVENT_CAS_FAIL, k->site, addr, 0,
						      (uint32_t)k->arg[4]);

		f->size = (uint8_t)bytes;
		access_read(m, k->t, f, addr, bytes, &k->result, &k->result_expr);
	} else {
		swap(m, k, addr, expected, desired, bytes, (uint32_t)k->arg[4]);
	}
	last = &vec_last(&machine_out(m, k->t)->events);
	old = operand(m, k->result, k->result_expr, 64);
	(void)mem_store(k->t->space, at, 8, k->result, k->result_expr ? old : EXPR_NONE);
	k->result_expr = EXPR_NONE;
	if (last->kind == EVENT_CAS_FAIL)
		return library_return(k, 0);
	e = expr_binary(m->pool, EXPR_EQ, expr_resize(m->pool, old, bytes * 8, false), expected);
	k->result_expr = expr_resize(m->pool, e, 32, false);
	return LIBRARY_DONE;
}

const struct library_row library_atomic[] = {
	{"heddle_hook_atomic_rmw", atomic_rmw},
	{"heddle_hook_atomic_cas", atomic_cas},
	{"heddle_hook_atomic_cas_weak", atomic_cas_weak},
	{NULL, NULL},
};
