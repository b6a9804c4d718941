/* The loop that executes register code. */
#include <assert.h>
#include <string.h>

#include "symex/machine/step.h"

#define PIECE (1u << 16)
#define NO_JOIN UINT32_MAX
#define LOOK_EVERY (UINT64_C(1) << 20) /* instructions, between two looks at the limit */

static inline uint64_t mask(unsigned w)
{
	return ~UINT64_C(0) >> (64 - w);
}

static inline int64_t sign(uint64_t v, unsigned w)
{
	unsigned shift = 64 - w;

	return (int64_t)(v << shift) >> shift;
}

static void reload(struct step *s)
{
	s->f = &vec_last(&s->t->frames);
	s->r = s->t->regs + s->f->base;
	s->x = s->t->exprs + s->f->base;
}

/* Arithmetic with an expression among its operands. */
#define SYMBOLIC2 (sym && __builtin_expect((x[i->a] | x[i->b]) != 0, 0))
#define BINARY(name, result) COMPARE(name, (result)&mask(i->w))
#define COMPARE(name, result)                                                                      \
	case CODE_##name:                                                                          \
		if (SYMBOLIC2) {                                                                   \
			if (!step_compute(s, i, EXPR_##name, 0))                                   \
				return done;                                                       \
			break;                                                                     \
		}                                                                                  \
		r[i->d] = (result);                                                                \
		if (sym)                                                                           \
			x[i->d] = EXPR_NONE;                                                       \
		break;
#define ADDRESS(name, symbolic, result)                                                            \
	case CODE_##name:                                                                          \
		if (symbolic) {                                                                    \
			(void)step_address(s, i);                                                  \
			break;                                                                     \
		}                                                                                  \
		r[i->d] = (result);                                                                \
		if (sym)                                                                           \
			x[i->d] = EXPR_NONE;                                                       \
		break;
/* Control goes to another block: ways may meet there. */
#define ARRIVE                                                                                     \
	do {                                                                                       \
		if (sym && __builtin_expect(pc == join, 0)) {                                      \
			step_leave(s);                                                             \
			join = NO_JOIN;                                                            \
		}                                                                                  \
	} while (0)
/* A function chooses the way. */
#define CHOOSE(chosen)                                                                             \
	s->f->pc = pc;                                                                             \
	if (!(chosen))                                                                             \
		return done;                                                                       \
	pc = s->f->pc;                                                                             \
	if (sym)                                                                                   \
		join = join_of(s);                                                                 \
	ARRIVE;                                                                                    \
	break;
/* What is done by a function: it may end the thread, or leave the frame. */
#define SLOW(name, done_well)                                                                      \
	case CODE_##name:                                                                          \
		s->f->pc = pc;                                                                     \
		if (!(done_well))                                                                  \
			return done;                                                               \
		break;

/* The instruction of this frame at which its ways meet. */
static inline uint32_t join_of(const struct step *s)
{
	return s->t->between && s->t->join_depth == s->t->frames.count ? s->t->join : NO_JOIN;
}

/*
 * Executes until a call, a return, or the end; returns how many instructions.  The flag says
 * whether there may be expressions; without them the loop does not look.
 */
static inline __attribute__((always_inline)) uint64_t run(struct step *s, bool sym)
{
	const struct code_insn *const code = s->f->code->insns.items, *i;
	uint64_t *const r = s->r;
	expr_id *const x = s->x;
	uint32_t pc = s->f->pc;
	const uint32_t unit = step_unit_of(s);
	uint32_t join = sym ? join_of(s) : NO_JOIN;
	uint64_t done = 0;

	for (;;) {
		i = &code[pc++];
		done++;
		switch (i->op) {
			BINARY(ADD, r[i->a] + r[i->b])
			BINARY(SUB, r[i->a] - r[i->b])
			BINARY(MUL, r[i->a] * r[i->b])
			BINARY(AND, r[i->a] & r[i->b])
			BINARY(OR, r[i->a] | r[i->b])
			BINARY(XOR, r[i->a] ^ r[i->b])
			BINARY(SHL, r[i->b] < i->w ? r[i->a] << r[i->b] : 0)
			BINARY(LSHR, r[i->b] < i->w ? r[i->a] >> r[i->b] : 0)
			BINARY(ASHR,
			       (uint64_t)(sign(r[i->a], i->w) >> (r[i->b] < i->w ? r[i->b] : 63)))
			SLOW(UDIV, step_compute(s, i, EXPR_UDIV, 0))
			SLOW(SDIV, step_compute(s, i, EXPR_SDIV, 0))
			SLOW(UREM, step_compute(s, i, EXPR_UREM, 0))
			SLOW(SREM, step_compute(s, i, EXPR_SREM, 0))
			COMPARE(EQ, r[i->a] == r[i->b])
			COMPARE(NE, r[i->a] != r[i->b])
			COMPARE(ULT, r[i->a] < r[i->b])
			COMPARE(ULE, r[i->a] <= r[i->b])
			COMPARE(SLT, sign(r[i->a], i->w) < sign(r[i->b], i->w))
			COMPARE(SLE, sign(r[i->a], i->w) <= sign(r[i->b], i->w))
			SLOW(COMPUTE,
			     step_compute(s, i, (enum expr_op)(i->x & 0xff), (uint16_t)(i->x >> 8)))
			SLOW(SELECT, step_select_one(s, i))
			SLOW(LOAD, step_load(s, i))
			SLOW(STORE, step_store(s, i))
		case CODE_MOVE:
			r[i->d] = r[i->a];
			if (sym)
				x[i->d] = x[i->a];
			break;
		case CODE_MOVES:
			step_moves(s, i);
			break;
			ADDRESS(ADDR, sym && x[i->a], r[i->a] + (uint64_t)i->imm)
			ADDRESS(GEP, SYMBOLIC2,
				r[i->a] + (uint64_t)sign(r[i->b], i->v) * (uint64_t)i->imm)
		case CODE_ALLOCA:
			if (sym && x[i->a] && !step_settle(s, i->a))
				return done;
			r[i->d] = machine_alloca(s->m, s->t, r[i->a] * (uint64_t)i->imm, i->v);
			if (sym)
				x[i->d] = EXPR_NONE;
			break;
		case CODE_JUMP:
			pc = i->a;
			ARRIVE;
			/* Loops go this way: limits are looked at in between. */
			if (__builtin_expect(done > PIECE, 0)) {
				s->f->pc = pc;
				return done;
			}
			break;
		case CODE_BRANCH:
			if (!(sym && x[i->a]) && !machine_wants(s->m, unit, i->x)) {
				pc = r[i->a] & 1 ? i->b : i->c;
				ARRIVE;
				break;
			}
			CHOOSE(step_branch(s, i))
		case CODE_SWITCH:
		case CODE_GOTO:
			CHOOSE(step_switch_to(s, i))
		case CODE_CALL:
			s->f->pc = pc;
			step_call(s, &s->f->code->calls.items[i->a]);
			return done;
		case CODE_RETURN:
			s->f->pc = pc;
			machine_return(s->m, s->t, &r[i->a], &x[i->a], i->c);
			return done;
		default:
			s->f->pc = pc;
			if (!step_unusual(s, i))
				return done;
		}
	}
}

static uint64_t run_piece(struct step *s)
{
	return s->m->symbolic ? run(s, true) : run(s, false);
}

static bool over_limit(struct machine *m, struct machine_thread *t, uint64_t done)
{
	struct symex_thread *out = machine_out(m, t);

	uint64_t before = m->instructions / LOOK_EVERY;
	enum limit_reason why;

	out->instructions += done;
	m->instructions += done;
	if (m->instructions / LOOK_EVERY != before && m->o->limit &&
	    (why = limit_reached(m->o->limit)) != LIMIT_NONE) {
		machine_end(m, t, SYMEX_END_LIMIT, t->last_site, "%s", limit_text(why));
		return true;
	}
	if (!m->o->max_instructions || out->instructions <= m->o->max_instructions)
		return false;
	machine_end(m, t, SYMEX_END_LIMIT, t->last_site, "more than %llu instructions",
		    (unsigned long long)m->o->max_instructions);
	return true;
}

void machine_step(struct machine *m, struct machine_thread *t)
{
	size_t before = machine_out(m, t)->events.count;
	struct step s = {.m = m, .t = t};

	while (t->state == THREAD_RUNS && !t->waits_for &&
	       machine_out(m, t)->events.count == before) {
		/* A model that is not through stands above the frame it was called from. */
		if (t->models.count &&
		    (!t->frames.count || vec_last(&t->frames).model < t->models.count)) {
			machine_model(m, t);
			continue;
		}
		assert(t->frames.count);
		reload(&s);
		if (over_limit(m, t, run_piece(&s)))
			return;
	}
}
