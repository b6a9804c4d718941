/* Which way a thread goes: branches, switches, calls through pointers, with the points there. */
#include <assert.h>
#include <string.h>

#include "symex/machine/step.h"
#include "wire/ctl.h"

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
	q.site = step_here(s);
	q.known = !expr;
	q.value = *way;
	if (!expr && !machine_wants(s->m, q.unit, q.point))
		return true;
	a = machine_ask(s->m, s->t, &q, &answer);
	if (a == SYMEX_ANSWER_STOP)
		return machine_end(s->m, s->t, SYMEX_END_STOPPED, step_here(s),
				   "the record ends here"),
		       false;
	if (a == SYMEX_ANSWER_NONE && expr)
		return machine_end(s->m, s->t, SYMEX_END_UNKNOWN, step_here(s),
				   "a branch that depends on shared memory and was not recorded"),
		       false;
	if (a == SYMEX_ANSWER_IS && !expr && answer != *way)
		return machine_end(s->m, s->t, SYMEX_END_DIVERGED, step_here(s),
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
	(void)machine_value(s->m, s->t, e, step_here(s), &known);
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
	expr_id e = s->x[i->a] ? step_expr_of(s, i->a, 1) : EXPR_NONE;
	uint64_t way = word_of(s, i->a, e) & 1;

	if (!ask_way(s, (struct symex_question){.ask = SYMEX_ASK_BRANCH, .point = i->x, .expr = e},
		     &way))
		return false;
	if (e)
		enter(s, i);
	if (e)
		machine_condition(s->m, s->t, way ? e : expr_not(s->m->pool, e), SYMEX_WHY_PATH,
				  step_here(s), step_unit_of(s), i->x);
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
	expr_id e = s->x[i->a] ? step_expr_of(s, i->a, i->w) : EXPR_NONE;
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
		return machine_end(s->m, s->t, SYMEX_END_DIVERGED, step_here(s), "no such case"),
		       false;
	if (e)
		enter(s, i);
	if (e)
		machine_condition(s->m, s->t, case_condition(s, i, e, way), SYMEX_WHY_PATH,
				  step_here(s), step_unit_of(s), i->x);
	s->f->pc = t->items[way].target;
	return true;
}

/* ---- calls ---- */

static struct program_function *indirect_target(struct step *s, const struct code_call *c)
{
	expr_id e = s->x[c->callee] ? step_expr_of(s, c->callee, 64) : EXPR_NONE;
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
			SYMEX_WHY_PATH, step_here(s), step_unit_of(s), c->point);
		s->r[c->callee] = way;
		s->x[c->callee] = EXPR_NONE;
	}
	f = program_function_at(s->m->p, way);
	if (!f)
		machine_fail(s->m, s->t, FAILURE_SIGNAL, step_here(s), way,
			     "call of address 0x%llx", (unsigned long long)way);
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
