/*
 * Tries every assignment.  Shares nothing with the other backends but the formula, so that it can
 * be held against them; useful up to some twenty variables and 64 nodes.
 */
#include <assert.h>

#include "solve/backend.h"

#define NODES 64

struct enumeration {
	const struct solve_formula *f;
	const struct solve_question *q;
	int8_t *value;	 /* by variable: 1, 0, -1 unassigned */
	uint64_t *after; /* [depth][NODES]: what is known to come after a node */
	uint64_t tried;
	bool found, over;
	uint32_t best; /* cost of the model kept */
	struct solve_model *m;
};

/* Adds a < b to a transitively closed relation; false when b < a is in it. */
static bool relate(uint64_t *after, uint32_t a, uint32_t b)
{
	uint64_t gain = after[b] | UINT64_C(1) << b;

	if (a == b || after[b] >> a & 1)
		return false;
	for (uint32_t v = 0; v < NODES; v++) {
		if (v == a || after[v] >> a & 1)
			after[v] |= gain;
	}
	return true;
}

/* Whether some clause or assumption is false already. */
static bool violated(const struct enumeration *x)
{
	const struct solve_formula *f = x->f;

	for (size_t i = 0; i < x->q->count; i++) {
		solve_lit l = x->q->assumptions[i];

		if (x->value[solve_lit_var(l)] == (int8_t)solve_lit_negated(l))
			return true;
	}
	for (size_t c = 0; c < solve_formula_clauses(f); c++) {
		bool hope = false;

		for (uint32_t i = f->starts.items[c]; i < f->starts.items[c + 1] && !hope; i++) {
			solve_lit l = f->lits.items[i];

			hope = x->value[solve_lit_var(l)] != (int8_t)solve_lit_negated(l);
		}
		if (!hope)
			return true;
	}
	return false;
}

static void keep(struct enumeration *x, const uint64_t *after)
{
	const struct solve_formula *f = x->f;
	uint64_t placed = 0;
	uint32_t cost = 0;

	for (size_t i = 0; i < f->vars.count; i++)
		cost += f->vars.items[i].counted && x->value[i] == 1;
	if (x->found && cost >= x->best)
		return;
	x->found = true;
	x->best = cost;
	vec_clear(&x->m->values);
	vec_clear(&x->m->ranks);
	for (size_t i = 0; i < f->vars.count; i++)
		vec_push(&x->m->values, (uint8_t)x->value[i]);
	for (uint32_t i = 0; i < f->nodes; i++)
		vec_push(&x->m->ranks, 0);
	for (uint32_t rank = 0; rank < f->nodes; rank++) {
		for (uint32_t v = 0; v < f->nodes; v++) {
			bool ready = !(placed >> v & 1);

			for (uint32_t u = 0; u < f->nodes && ready; u++)
				ready = (placed >> u & 1) || !(after[u] >> v & 1);
			if (ready) {
				x->m->ranks.items[v] = rank;
				placed |= UINT64_C(1) << v;
				break;
			}
		}
	}
}

static void enumerate(struct enumeration *x, size_t depth)
{
	const struct solve_atom *a;
	uint64_t *after = x->after + depth * NODES;

	if (x->over || (x->found && x->q->goal == SOLVE_ANY) || violated(x))
		return;
	if (x->q->budget && x->tried++ >= x->q->budget) {
		x->over = true;
		return;
	}
	if (depth == x->f->vars.count) {
		keep(x, after);
		return;
	}
	a = &x->f->vars.items[depth];
	for (int8_t v = 0; v < 2; v++) {
		memcpy(after + NODES, after, NODES * sizeof(*after));
		if (solve_atom_ordered(a) &&
		    !relate(after + NODES, v ? a->a : a->b, v ? a->b : a->a))
			continue;
		x->value[depth] = v;
		enumerate(x, depth + 1);
		x->value[depth] = -1;
	}
}

static enum solve_answer ask(struct solve_backend *b, const struct solve_question *q,
			     struct solve_model *m)
{
	const struct solve_formula *f = b->formula;
	struct enumeration x = {.f = f, .q = q, .m = m};
	bool cyclic = false;

	assert(f->nodes <= NODES);
	x.value = xmalloc(f->vars.count + 1);
	x.after = xcalloc((f->vars.count + 1) * NODES, sizeof(uint64_t));
	memset(x.value, -1, f->vars.count);
	for (size_t i = 0; i < f->edges.count && !cyclic; i++)
		cyclic = !relate(x.after, f->edges.items[i].a, f->edges.items[i].b);
	if (!cyclic && !f->empty_clause)
		enumerate(&x, 0);
	free(x.value);
	free(x.after);
	if (x.over && !(x.found && q->goal == SOLVE_ANY))
		return SOLVE_UNKNOWN;
	return x.found ? SOLVE_SAT : SOLVE_UNSAT;
}

static void release(struct solve_backend *b)
{
	free(b);
}

struct solve_backend *solve_backend_enum(const struct solve_formula *f)
{
	struct solve_backend *b = xcalloc(1, sizeof(*b));

	*b = (struct solve_backend){.name = "enum", .formula = f, .ask = ask, .free = release};
	return b;
}
