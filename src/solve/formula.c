#include "solve/formula.h"

#include <assert.h>

void solve_formula_init(struct solve_formula *f, uint32_t nodes)
{
	*f = (struct solve_formula){.nodes = nodes};
	vec_push(&f->starts, 0);
}

void solve_formula_fini(struct solve_formula *f)
{
	vec_free(&f->edges);
	vec_free(&f->vars);
	vec_free(&f->starts);
	vec_free(&f->lits);
}

void solve_model_fini(struct solve_model *m)
{
	vec_free(&m->values);
	vec_free(&m->ranks);
}

solve_var solve_formula_plain(struct solve_formula *f, bool counted)
{
	struct solve_atom a = {SOLVE_NODE_NONE, SOLVE_NODE_NONE, counted};

	vec_push(&f->vars, a);
	return (solve_var)f->vars.count - 1;
}

solve_var solve_formula_order(struct solve_formula *f, uint32_t a, uint32_t b)
{
	struct solve_atom atom = {a, b, false};

	assert(a < f->nodes && b < f->nodes && a != b);
	vec_push(&f->vars, atom);
	return (solve_var)f->vars.count - 1;
}

void solve_formula_edge(struct solve_formula *f, uint32_t a, uint32_t b)
{
	struct solve_edge e = {a, b};

	assert(a < f->nodes && b < f->nodes && a != b);
	vec_push(&f->edges, e);
}

void solve_formula_clause(struct solve_formula *f, const solve_lit *lits, size_t n)
{
	size_t begin = f->lits.count;

	for (size_t i = 0; i < n; i++) {
		bool repeated = lits[i] == SOLVE_FALSE;

		for (size_t k = begin; k < f->lits.count && !repeated; k++) {
			repeated = f->lits.items[k] == lits[i];
			if (f->lits.items[k] == solve_not(lits[i])) {
				f->lits.count = begin;
				return;
			}
		}
		if (lits[i] == SOLVE_TRUE) {
			f->lits.count = begin;
			return;
		}
		if (repeated)
			continue;
		assert(solve_lit_var(lits[i]) < f->vars.count);
		vec_push(&f->lits, lits[i]);
	}
	assert(f->lits.count - begin <= n && f->starts.items[f->starts.count - 1] == begin);
	if (f->lits.count == begin)
		f->empty_clause = true;
	else
		vec_push(&f->starts, (uint32_t)f->lits.count);
}

static bool holds(const struct solve_model *m, solve_lit l)
{
	return m->values.items[solve_lit_var(l)] != solve_lit_negated(l);
}

static bool ranks_are_a_permutation(const struct solve_formula *f, const struct solve_model *m)
{
	uint8_t *seen = xcalloc(f->nodes + 1, 1);
	bool good = m->ranks.count == f->nodes;

	for (uint32_t i = 0; good && i < f->nodes; i++) {
		good = m->ranks.items[i] < f->nodes && !seen[m->ranks.items[i]];
		if (good)
			seen[m->ranks.items[i]] = 1;
	}
	free(seen);
	return good;
}

const char *solve_model_check(const struct solve_formula *f, const solve_lit *assumptions, size_t n,
			      const struct solve_model *m)
{
	const uint32_t *rank = m->ranks.items;

	if (m->values.count < f->vars.count)
		return "a variable has no value";
	if (!ranks_are_a_permutation(f, m))
		return "the ranks are no total order";
	for (size_t i = 0; i < f->edges.count; i++) {
		if (rank[f->edges.items[i].a] >= rank[f->edges.items[i].b])
			return "a fixed edge is violated";
	}
	for (size_t i = 0; i < f->vars.count; i++) {
		const struct solve_atom *a = &f->vars.items[i];

		if (solve_atom_ordered(a) && (rank[a->a] < rank[a->b]) != m->values.items[i])
			return "an order atom contradicts the ranks";
	}
	for (size_t c = 0; c < solve_formula_clauses(f); c++) {
		bool good = false;

		for (uint32_t i = f->starts.items[c]; i < f->starts.items[c + 1] && !good; i++)
			good = holds(m, f->lits.items[i]);
		if (!good)
			return "a clause is violated";
	}
	for (size_t i = 0; i < n; i++) {
		if (!holds(m, assumptions[i]))
			return "an assumption is violated";
	}
	return f->empty_clause ? "the formula has an empty clause" : NULL;
}

uint32_t solve_model_cost(const struct solve_formula *f, const struct solve_model *m)
{
	uint32_t cost = 0;

	assert(m->values.count >= f->vars.count);
	for (size_t i = 0; i < f->vars.count; i++)
		cost += f->vars.items[i].counted && m->values.items[i];
	return cost;
}
