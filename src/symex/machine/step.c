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

static expr_id expr_of(struct step *s, uint32_t slot, unsigned w)
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

static uint32_t here(const struct step *s)
{
	return s->t->last_site;
}

/* The thread goes on only if it holds: kept when it is not certain. */
static bool must_be_nonzero(struct step *s, uint32_t slot, unsigned w)
{
	if (s->x[slot]) {
		expr_id e = expr_binary(s->m->pool, EXPR_NE, expr_of(s, slot, w),
					expr_const(s->m->pool, w, 0));
		struct symex_question q = {
			.ask = SYMEX_ASK_OUTCOME, .site = here(s), .kind = EVENT_FAILURE};
		uint64_t fails = 0;
		expr_value known = 0;

		if (s->m->values && !machine_value(s->m, s->t, e, here(s), &known))
			return false;
		if (s->m->values && !known)
			return machine_fail(s->m, s->t, FAILURE_SIGNAL, here(s), 0,
					    "division by zero"),
			       false;
		/* Only whoever saw it knows that the thread did not get past it. */
		if (machine_ask(s->m, s->t, &q, &fails) == SYMEX_ANSWER_IS && fails) {
			machine_condition(s->m, s->t, expr_not(s->m->pool, e), SYMEX_WHY_FAILURE,
					  here(s), SYMEX_NONE, SYMEX_NONE);
			machine_fail(s->m, s->t, FAILURE_SIGNAL, here(s), 0, "division by zero");
			return false;
		}
		machine_condition(s->m, s->t, e, SYMEX_WHY_SAFE, here(s), SYMEX_NONE, SYMEX_NONE);
		return true;
	}
	if (get_wide(s, slot, w))
		return true;
	machine_fail(s->m, s->t, FAILURE_SIGNAL, here(s), 0, "division by zero");
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
		e[k] = expr_of(s, slot[k], widths[k]);
	set_expr(s, i->d, w, expr_make(s->m->pool, op, w, aux, e));
	return true;
}

/* An address that is an expression: somebody says which, or the thread ends. */
bool step_settle(struct step *s, uint32_t slot)
{
	uint64_t v = machine_concrete(s->m, s->t, s->r[slot], s->x[slot], here(s));

	if (s->t->state == THREAD_OVER)
		return false;
	s->r[slot] = v;
	s->x[slot] = EXPR_NONE;
	return true;
}

static void wild(struct step *s, uint64_t addr, bool write)
{
	machine_fail(s->m, s->t, FAILURE_SIGNAL, here(s), addr, "%s of address 0x%llx",
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
		e = expr_resize(s->m->pool, expr_of(s, i->b, i->w), bytes * 8, false);
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

/* ---- points ---- */

uint32_t step_unit_of(const struct step *s)
{
	return s->f->code->function->unit;
}

/*
 * Which way: known or not, the source may have a say.  q has what is asked, the point and the
 * expression that decides (0: known); conditions are the caller's.  False when the thread ends
 * here.
 */
static bool ask_way(struct step *s, struct symex_question q, uint64_t *way)
{
	expr_id expr = q.expr;
	uint64_t answer = 0;
	enum symex_answer a;

	if (expr && s->m->values)
		return s->t->state == THREAD_RUNS;
	q.unit = step_unit_of(s);
	q.site = here(s);
	q.known = !expr;
	q.value = *way;
	if (!expr && !machine_wants(s->m, q.unit, q.point))
		return true;
	a = machine_ask(s->m, s->t, &q, &answer);
	if (a == SYMEX_ANSWER_STOP)
		return machine_end(s->m, s->t, SYMEX_END_STOPPED, here(s), "the record ends here"),
		       false;
	if (a == SYMEX_ANSWER_NONE && expr)
		return machine_end(s->m, s->t, SYMEX_END_UNKNOWN, here(s),
				   "a branch that depends on shared memory and was not recorded"),
		       false;
	if (a == SYMEX_ANSWER_IS && !expr && answer != *way)
		return machine_end(s->m, s->t, SYMEX_END_DIVERGED, here(s),
				   "the record goes another way"),
		       false;
	if (a == SYMEX_ANSWER_IS)
		*way = answer;
	return true;
}

/* The word, as far as it is known: by itself, or by whoever knows the values of this run. */
static uint64_t word_of(struct step *s, uint32_t slot, expr_id e)
{
	expr_value known = 0;

	if (!e || !s->m->values)
		return s->r[slot];
	(void)machine_value(s->m, s->t, e, here(s), &known);
	return (uint64_t)known;
}

static void enter(struct step *s, const struct code_insn *i)
{
	const struct machine_values *v = s->m->values;
	struct machine_thread *t = s->t;

	if (!v || !v->enter || t->between || t->state != THREAD_RUNS)
		return;
	if (v->enter(v->arg, t, s->f->code, (uint32_t)(i - s->f->code->insns.items), &t->join,
		     &t->between))
		t->join_depth = t->frames.count;
}

void step_leave(struct step *s)
{
	s->m->values->leave(s->m->values->arg, s->t);
	s->t->between = 0;
}

bool step_branch(struct step *s, const struct code_insn *i)
{
	expr_id e = s->x[i->a] ? expr_of(s, i->a, 1) : EXPR_NONE;
	uint64_t way = word_of(s, i->a, e) & 1;

	if (!ask_way(s, (struct symex_question){.ask = SYMEX_ASK_BRANCH, .point = i->x, .expr = e},
		     &way))
		return false;
	if (e)
		enter(s, i);
	if (e)
		machine_condition(s->m, s->t, way ? e : expr_not(s->m->pool, e), SYMEX_WHY_PATH,
				  here(s), step_unit_of(s), i->x);
	s->f->pc = way ? i->b : i->c;
	return true;
}

static expr_id case_condition(struct step *s, const struct code_insn *i, expr_id e, uint64_t way)
{
	const struct code_table *t = &s->f->code->tables.items[i->b];
	struct expr_pool *p = s->m->pool;
	expr_id all = expr_const(p, 1, 1);

	if (way || i->op == CODE_GOTO)
		return expr_binary(p, EXPR_EQ, e, expr_const(p, i->w, t->items[way].value));
	for (size_t n = 1; n < t->count; n++)
		all = expr_binary(
			p, EXPR_AND, all,
			expr_binary(p, EXPR_NE, e, expr_const(p, i->w, t->items[n].value)));
	return all;
}

bool step_switch_to(struct step *s, const struct code_insn *i)
{
	const struct code_table *t = &s->f->code->tables.items[i->b];
	expr_id e = s->x[i->a] ? expr_of(s, i->a, i->w) : EXPR_NONE;
	uint64_t way = 0, word = word_of(s, i->a, e);
	bool known = !e || s->m->values;

	for (size_t n = i->op == CODE_GOTO ? 0 : 1; known && n < t->count; n++)
		if (t->items[n].value == word) {
			way = n;
			break;
		}
	if (!ask_way(s,
		     (struct symex_question){.ask = i->op == CODE_GOTO ? SYMEX_ASK_GOTO
								       : SYMEX_ASK_SWITCH,
					     .point = i->x,
					     .successors = (uint32_t)t->count,
					     .expr = e},
		     &way))
		return false;
	if (way >= t->count)
		return machine_end(s->m, s->t, SYMEX_END_DIVERGED, here(s), "no such case"), false;
	if (e)
		enter(s, i);
	if (e)
		machine_condition(s->m, s->t, case_condition(s, i, e, way), SYMEX_WHY_PATH, here(s),
				  step_unit_of(s), i->x);
	s->f->pc = t->items[way].target;
	return true;
}

/* ---- calls ---- */

static struct program_function *indirect_target(struct step *s, const struct code_call *c)
{
	expr_id e = s->x[c->callee] ? expr_of(s, c->callee, 64) : EXPR_NONE;
	uint64_t way = word_of(s, c->callee, e);
	struct program_function *f;

	if (!ask_way(s,
		     (struct symex_question){.ask = SYMEX_ASK_CALL, .point = c->point, .expr = e},
		     &way))
		return NULL;
	if (e) {
		machine_condition(
			s->m, s->t,
			expr_binary(s->m->pool, EXPR_EQ, e, expr_const(s->m->pool, 64, way)),
			SYMEX_WHY_PATH, here(s), step_unit_of(s), c->point);
		s->r[c->callee] = way;
		s->x[c->callee] = EXPR_NONE;
	}
	f = program_function_at(s->m->p, way);
	if (!f)
		machine_fail(s->m, s->t, FAILURE_SIGNAL, here(s), way, "call of address 0x%llx",
			     (unsigned long long)way);
	return f;
}

void step_call(struct step *s, const struct code_call *c)
{
	struct program_function *f = c->target ? c->target : indirect_target(s, c);

	if (!f)
		return;
	/* The frame goes on behind the call, or where an invocation says. */
	if (c->normal != UINT32_MAX)
		s->f->pc = c->normal;
	if (f->value)
		machine_call(s->m, s->t, f, c, s->f->base);
	else
		machine_push_model(s->m, s->t, f, c, s->f->base);
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
		machine_end(s->m, s->t, SYMEX_END_UNKNOWN, here(s), "code that cannot be reached");
		return false;
	default:
		machine_end(s->m, s->t, SYMEX_END_UNKNOWN, here(s), "not understood: %s",
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
		expr_id e[3] = {expr_of(s, i->a, 1), expr_of(s, i->b, i->w),
				expr_of(s, i->c, i->w)};

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
			 expr_binary(p, EXPR_ADD, expr_of(s, i->a, 64),
				     expr_const(p, 64, (uint64_t)i->imm)));
		return true;
	}
	a = expr_of(s, i->a, 64);
	b = expr_resize(p, expr_of(s, i->b, i->v), 64, true);
	b = expr_binary(p, EXPR_MUL, b, expr_const(p, 64, (uint64_t)i->imm));
	set_expr(s, i->d, 64, expr_binary(p, EXPR_ADD, a, b));
	return true;
}
