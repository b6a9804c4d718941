/* Instructions where expressions are involved, and all that is not arithmetic. */
#include <assert.h>
#include <string.h>

#include "symex/machine/step.h"
#include "wire/ctl.h"

static inline uint64_t mask(unsigned w)
{
	return ~UINT64_C(0) >> (64 - w);
}

/* ---- words and expressions ---- */

static expr_value get_wide(const struct step *s, uint32_t slot, unsigned w)
{
	return w > 64 ? (expr_value)s->r[slot + 1] << 64 | s->r[slot] : s->r[slot];
}

static void set_wide(struct step *s, uint32_t slot, unsigned w, expr_value v)
{
	s->r[slot] = (uint64_t)v;
	if (w > 64)
		s->r[slot + 1] = (uint64_t)(v >> 64);
}

expr_id step_expr_of(struct step *s, uint32_t slot, unsigned w)
{
	expr_id e = s->x[slot];

	if (!e)
		return expr_const(s->m->pool, w, get_wide(s, slot, w));
	return expr_resize(s->m->pool, e, w, false);
}

static void set_expr(struct step *s, uint32_t slot, unsigned w, expr_id e)
{
	expr_value v;

	if (expr_is_const(s->m->pool, e, &v)) {
		set_wide(s, slot, w, v);
		s->x[slot] = EXPR_NONE;
	} else {
		set_wide(s, slot, w, 0);
		s->x[slot] = e;
	}
	if (w > 64)
		s->x[slot + 1] = EXPR_NONE;
}

static unsigned arguments_of(enum expr_op op)
{
	static const uint8_t arity[EXPR_OPS] = {
#define X(name, text, arguments) arguments,
#include "symex/expr.def"
#undef X
	};

	return arity[op];
}

uint32_t step_here(const struct step *s)
{
	return s->t->last_site;
}

/* The thread goes on only if it holds: kept when it is not certain. */
static bool must_be_nonzero(struct step *s, uint32_t slot, unsigned w)
{
	if (s->x[slot]) {
		expr_id e = expr_binary(s->m->pool, EXPR_NE, step_expr_of(s, slot, w),
					expr_const(s->m->pool, w, 0));
		struct symex_question q = {
			.ask = SYMEX_ASK_OUTCOME, .site = step_here(s), .kind = EVENT_FAILURE};
		uint64_t fails = 0;
		expr_value known = 0;

		if (s->m->values && !machine_value(s->m, s->t, e, step_here(s), &known))
			return false;
		if (s->m->values && !known)
			return machine_fail(s->m, s->t, FAILURE_SIGNAL, step_here(s), 0,
					    "division by zero"),
			       false;
		/* Only whoever saw it knows that the thread did not get past it. */
		if (machine_ask(s->m, s->t, &q, &fails) == SYMEX_ANSWER_IS && fails) {
			machine_condition(s->m, s->t, expr_not(s->m->pool, e), SYMEX_WHY_FAILURE,
					  step_here(s), SYMEX_NONE, SYMEX_NONE);
			machine_fail(s->m, s->t, FAILURE_SIGNAL, step_here(s), 0,
				     "division by zero");
			return false;
		}
		machine_condition(s->m, s->t, e, SYMEX_WHY_SAFE, step_here(s), SYMEX_NONE,
				  SYMEX_NONE);
		return true;
	}
	if (get_wide(s, slot, w))
		return true;
	machine_fail(s->m, s->t, FAILURE_SIGNAL, step_here(s), 0, "division by zero");
	return false;
}

/* Any operation by its meaning; true when it was done. */
bool step_compute(struct step *s, const struct code_insn *i, enum expr_op op, uint16_t aux)
{
	const uint32_t slot[3] = {i->a, i->b, 0};
	unsigned n = arguments_of(op), widths[3] = {i->v, i->v, 0};
	expr_value arg[3] = {0, 0, 0};
	expr_id e[3] = {0, 0, 0};
	bool symbolic = false;
	unsigned w = i->w;

	if (op == EXPR_CONCAT || op == EXPR_SELECT)
		return false;
	if (op >= EXPR_EQ && op <= EXPR_SLE)
		w = 1;
	if ((op >= EXPR_UDIV && op <= EXPR_SREM) && !must_be_nonzero(s, i->b, i->v))
		return false;
	for (unsigned k = 0; k < n; k++)
		symbolic |= s->m->symbolic && s->x[slot[k]];
	if (!symbolic) {
		for (unsigned k = 0; k < n; k++)
			arg[k] = get_wide(s, slot[k], widths[k]);
		set_wide(s, i->d, w, expr_compute(op, w, aux, arg, widths));
		if (s->m->symbolic)
			s->x[i->d] = EXPR_NONE;
		return true;
	}
	for (unsigned k = 0; k < n; k++)
		e[k] = step_expr_of(s, slot[k], widths[k]);
	set_expr(s, i->d, w, expr_make(s->m->pool, op, w, aux, e));
	return true;
}

/* An address that is an expression: somebody says which, or the thread ends. */
bool step_settle(struct step *s, uint32_t slot)
{
	uint64_t v = machine_concrete(s->m, s->t, s->r[slot], s->x[slot], step_here(s));

	if (s->t->state == THREAD_OVER)
		return false;
	s->r[slot] = v;
	s->x[slot] = EXPR_NONE;
	return true;
}

static void wild(struct step *s, uint64_t addr, bool write)
{
	machine_fail(s->m, s->t, FAILURE_SIGNAL, step_here(s), addr, "%s of address 0x%llx",
		     write ? "write" : "read", (unsigned long long)addr);
}

bool step_load(struct step *s, const struct code_insn *i)
{
	uint32_t bytes = (i->w + 7u) / 8;
	uint64_t addr, low, high = 0;
	expr_id e, above = EXPR_NONE;

	if (s->x[i->a] && !step_settle(s, i->a))
		return false;
	addr = s->r[i->a] + (uint64_t)i->imm;
	if (!mem_load(s->t->space, addr, bytes > 8 ? 8 : bytes, &low, &e) ||
	    (bytes > 8 && !mem_load(s->t->space, addr + 8, bytes - 8, &high, &above)))
		return wild(s, addr, false), false;
	if (e || above) {
		struct expr_pool *p = s->m->pool;

		e = e ? e : expr_const(p, bytes > 8 ? 64 : bytes * 8, low);
		if (bytes > 8)
			e = expr_concat(p, above ? above : expr_const(p, (bytes - 8) * 8, high), e);
		set_expr(s, i->d, i->w, expr_resize(p, e, i->w, false));
		return true;
	}
	s->r[i->d] = i->w < 64 ? low & mask(i->w) : low;
	s->x[i->d] = EXPR_NONE;
	if (bytes > 8) {
		s->r[i->d + 1] = high;
		s->x[i->d + 1] = EXPR_NONE;
	}
	return true;
}

bool step_store(struct step *s, const struct code_insn *i)
{
	uint32_t bytes = (i->w + 7u) / 8;
	uint64_t addr;
	expr_id e;

	if (s->x[i->a] && !step_settle(s, i->a))
		return false;
	addr = s->r[i->a] + (uint64_t)i->imm;
	e = s->x[i->b];
	if (e)
		e = expr_resize(s->m->pool, step_expr_of(s, i->b, i->w), bytes * 8, false);
	if (bytes <= 8) {
		if (!mem_store(s->t->space, addr, bytes, s->r[i->b], e))
			return wild(s, addr, true), false;
		return true;
	}
	if (!mem_store(s->t->space, addr, 8, s->r[i->b],
		       e ? expr_extract(s->m->pool, e, 0, 64) : EXPR_NONE) ||
	    !mem_store(s->t->space, addr + 8, bytes - 8, s->r[i->b + 1],
		       e ? expr_extract(s->m->pool, e, 64, (bytes - 8) * 8) : EXPR_NONE))
		return wild(s, addr, true), false;
	return true;
}

/* ---- the rest of the slow ones ---- */

static bool element(struct step *s, const struct code_insn *i)
{
	bool pick = i->op == CODE_PICK;
	uint32_t at;

	if (s->x[i->b] && !step_settle(s, i->b))
		return false;
	at = s->r[i->b] < i->c ? (uint32_t)s->r[i->b] : 0;
	for (uint32_t w = 0; w < i->x; w++) {
		uint32_t to = pick ? i->d + w : i->d + at * i->x + w;
		uint32_t from = pick ? i->a + at * i->x + w : i->a + w;

		s->r[to] = s->r[from];
		s->x[to] = s->x[from];
	}
	return true;
}

static bool private_rmw(struct step *s, const struct code_insn *i)
{
	struct code_insn get = {.w = i->w, .d = i->d, .a = i->a}, put = {.w = i->w, .a = i->a};
	struct code_insn op = {.w = i->w, .v = i->w, .a = i->d, .b = i->b};
	uint64_t old = 0;
	expr_id old_expr;

	if (!step_load(s, &get))
		return false;
	old = s->r[i->d];
	old_expr = s->x[i->d];
	if (i->x == EXPR_READ) {
		put.b = i->b;
		return step_store(s, &put);
	}
	op.d = i->d;
	if (!step_compute(s, &op, (enum expr_op)i->x, 0))
		return false;
	put.b = i->d;
	if (!step_store(s, &put))
		return false;
	s->r[i->d] = old;
	s->x[i->d] = old_expr;
	return true;
}

static bool private_swap(struct step *s, const struct code_insn *i)
{
	struct code_insn get = {.w = i->w, .d = i->d, .a = i->a};
	struct code_insn put = {.w = i->w, .a = i->a, .b = i->c};

	if (!step_load(s, &get))
		return false;
	if ((s->x[i->d] && !step_settle(s, i->d)) || (s->x[i->b] && !step_settle(s, i->b)))
		return false;
	s->x[i->d + 1] = EXPR_NONE;
	s->r[i->d + 1] = s->r[i->d] == s->r[i->b];
	return s->r[i->d + 1] ? step_store(s, &put) : true;
}

/* What va_arg expects: see the ABI of the processor. */
static bool va_start(struct step *s, const struct code_insn *i)
{
	uint32_t ints = s->f->code->ints < 6 ? s->f->code->ints : 6;
	uint32_t reals = s->f->code->reals < 8 ? s->f->code->reals : 8;
	uint64_t list = s->r[i->a];

	return mem_store(s->t->space, list, 4, ints * 8, EXPR_NONE) &&
	       mem_store(s->t->space, list + 4, 4, 48 + reals * 16, EXPR_NONE) &&
	       mem_store(s->t->space, list + 8, 8, s->f->va_more, EXPR_NONE) &&
	       mem_store(s->t->space, list + 16, 8, s->f->va_regs, EXPR_NONE);
}

bool step_unusual(struct step *s, const struct code_insn *i)
{
	switch (i->op) {
	case CODE_PICK:
	case CODE_PUT:
		return element(s, i);
	case CODE_RMW:
		return private_rmw(s, i);
	case CODE_SWAP:
		return private_swap(s, i);
	case CODE_VA_START:
		return va_start(s, i);
	case CODE_TLS:
		s->r[i->d] =
			ADDR_TLS + ((uint64_t)s->t->tid << ADDR_THREAD_SHIFT) + (uint64_t)i->imm;
		s->x[i->d] = EXPR_NONE;
		return true;
	case CODE_SAVE:
		s->r[i->d] = s->t->sp;
		return true;
	case CODE_RESTORE:
		return true;
	case CODE_PAD:
		s->r[i->d] = s->t->exception;
		s->r[i->d + 1] = s->t->selector;
		s->x[i->d] = s->x[i->d + 1] = EXPR_NONE;
		return true;
	case CODE_RESUME:
		machine_resume(s->m, s->t);
		return false;
	case CODE_UNREACHABLE:
		machine_end(s->m, s->t, SYMEX_END_UNKNOWN, step_here(s),
			    "code that cannot be reached");
		return false;
	default:
		machine_end(s->m, s->t, SYMEX_END_UNKNOWN, step_here(s), "not understood: %s",
			    s->f->code->texts.items[i->x]);
		return false;
	}
}

void step_moves(struct step *s, const struct code_insn *i)
{
	memmove(&s->r[i->d], &s->r[i->a], i->c * sizeof(uint64_t));
	memmove(&s->x[i->d], &s->x[i->a], i->c * sizeof(expr_id));
}

bool step_select_one(struct step *s, const struct code_insn *i)
{
	uint32_t from;

	if (s->x[i->a]) {
		expr_id e[3] = {step_expr_of(s, i->a, 1), step_expr_of(s, i->b, i->w),
				step_expr_of(s, i->c, i->w)};

		set_expr(s, i->d, i->w, expr_make(s->m->pool, EXPR_SELECT, i->w, 0, e));
		return true;
	}
	from = s->r[i->a] & 1 ? i->b : i->c;
	for (uint32_t w = 0; w < i->x; w++) {
		s->r[i->d + w] = s->r[from + w];
		s->x[i->d + w] = s->x[from + w];
	}
	return true;
}

bool step_address(struct step *s, const struct code_insn *i)
{
	struct expr_pool *p = s->m->pool;
	expr_id a, b;

	if (i->op == CODE_ADDR) {
		set_expr(s, i->d, 64,
			 expr_binary(p, EXPR_ADD, step_expr_of(s, i->a, 64),
				     expr_const(p, 64, (uint64_t)i->imm)));
		return true;
	}
	a = step_expr_of(s, i->a, 64);
	b = expr_resize(p, step_expr_of(s, i->b, i->v), 64, true);
	b = expr_binary(p, EXPR_MUL, b, expr_const(p, 64, (uint64_t)i->imm));
	set_expr(s, i->d, 64, expr_binary(p, EXPR_ADD, a, b));
	return true;
}
