#include "solve/order_solver.h"

#include <assert.h>

static void take_var(struct order_solver *s, const struct solve_atom *a)
{
	struct order_var v = {.a = ORDER_NONE, .b = ORDER_NONE, .reason = ORDER_NONE};
	struct order_watches none = VEC_INIT;
	struct order_group empty = VEC_INIT;

	if (a) {
		v.counted = a->counted;
		if (solve_atom_ordered(a)) {
			v.a = a->a;
			v.b = a->b;
		}
	}
	vec_push(&s->vars, v);
	vec_push(&s->value, 0);
	vec_push(&s->value, 0);
	vec_push(&s->watches, none);
	vec_push(&s->watches, none);
	vec_push(&s->groups, empty);
}

static void watch(struct order_solver *s, uint32_t ref)
{
	struct order_clause *c = order_clause_get(s, ref);
	struct order_watch first = {ref, c->lits[1]}, second = {ref, c->lits[0]};

	assert(c->size >= 2 && c->lits[0] != c->lits[1]);
	vec_push(&s->watches.items[c->lits[0]], first);
	vec_push(&s->watches.items[c->lits[1]], second);
}

static void group(struct order_solver *s, uint32_t ref)
{
	struct order_clause *c = order_clause_get(s, ref);
	bool grouped = false;

	for (uint32_t i = 0; i < c->size; i++) {
		uint32_t v = solve_lit_var(c->lits[i]);

		if (!solve_lit_negated(c->lits[i]) || s->vars.items[v].a != ORDER_NONE)
			continue;
		vec_push(&s->groups.items[v], ref);
		grouped = true;
	}
	if (!grouped)
		vec_push(&s->always, ref);
}

static void take_clause(struct order_solver *s, const solve_lit *lits, uint32_t n)
{
	uint32_t ref = (uint32_t)s->own.count, size = 0;

	vec_push(&s->own, 0);
	vec_push(&s->own, 0);
	for (uint32_t i = 0; i < n; i++) {
		solve_lit l = lits[i] + 2;

		/* All of it at level 0: what holds or fails now does so for ever. */
		if (s->value.items[l] > 0) {
			s->own.count = ref;
			return;
		}
		if (s->value.items[l] < 0)
			continue;
		vec_push(&s->own, l);
		size++;
	}
	assert(size <= n && s->own.count == ref + ORDER_HEADER + size);
	order_clause_get(s, ref)->size = size;
	if (size > 1) {
		watch(s, ref);
		group(s, ref);
		return;
	}
	if (size == 1)
		order_solver_assign(s, s->own.items[ref + ORDER_HEADER], ORDER_NONE);
	else
		s->contradiction = true;
	s->own.count = ref;
}

void order_solver_take(struct order_solver *s)
{
	const struct solve_formula *f = s->base.formula;

	assert(order_level(s) == 0);
	if (!s->vars.count)
		take_var(s, NULL);
	for (size_t i = s->vars.count - 1; i < f->vars.count; i++)
		take_var(s, &f->vars.items[i]);
	if (f->empty_clause)
		s->contradiction = true;
	assert(s->vars.count == f->vars.count + 1 && s->value.count == 2 * s->vars.count);
	for (; s->taken < solve_formula_clauses(f) && !s->contradiction; s->taken++) {
		uint32_t begin = f->starts.items[s->taken];

		take_clause(s, f->lits.items + begin, f->starts.items[s->taken + 1] - begin);
	}
}

uint32_t order_solver_learn(struct order_solver *s, uint32_t rank)
{
	uint32_t ref = (uint32_t)s->learned.count | ORDER_LEARNED;

	assert(s->clause.count >= 2 && s->learned.count < ORDER_LEARNED / 2);
	vec_push(&s->learned, (uint32_t)s->clause.count);
	vec_push(&s->learned, rank);
	for (size_t i = 0; i < s->clause.count; i++)
		vec_push(&s->learned, s->clause.items[i]);
	watch(s, ref);
	s->learned_count++;
	s->base.stats.learned++;
	return ref;
}

static void drop_learned_watches(struct order_solver *s)
{
	for (size_t l = 0; l < s->watches.count; l++) {
		struct order_watches *w = &s->watches.items[l];
		size_t kept = 0;

		for (size_t i = 0; i < w->count; i++) {
			if (!(w->items[i].clause & ORDER_LEARNED))
				w->items[kept++] = w->items[i];
		}
		w->count = kept;
	}
}

/* Strips c of what fails for good; false when it holds for good or is down to one literal. */
static bool refresh(struct order_solver *s, struct order_clause *c)
{
	uint32_t size = 0;

	for (uint32_t i = 0; i < c->size; i++) {
		if (s->value.items[c->lits[i]] > 0)
			return false;
		if (!s->value.items[c->lits[i]])
			c->lits[size++] = c->lits[i];
	}
	c->size = size;
	if (size > 1)
		return true;
	if (size == 1)
		order_solver_assign(s, c->lits[0], ORDER_NONE);
	else
		s->contradiction = true;
	return false;
}

/* Keeps learned clauses of rank below worst and those of two literals; at level 0 only. */
static void keep_below(struct order_solver *s, uint32_t worst)
{
	uint32_t to = 0, kept = 0;

	drop_learned_watches(s);
	for (uint32_t at = 0; at < s->learned.count;) {
		struct order_clause *c = (struct order_clause *)(s->learned.items + at);
		bool keep = c->rank < worst || (c->size == 2 && c->rank < ORDER_UNDER_BOUND);

		at += (uint32_t)ORDER_HEADER + c->size;
		if (!keep || !refresh(s, c))
			continue;
		memmove(s->learned.items + to, c, (ORDER_HEADER + c->size) * sizeof(uint32_t));
		watch(s, to | ORDER_LEARNED);
		to += (uint32_t)ORDER_HEADER + order_clause_get(s, to | ORDER_LEARNED)->size;
		kept++;
	}
	assert(to <= s->learned.count && kept <= s->learned_count);
	s->base.stats.deleted += s->learned_count - kept;
	s->learned.count = to;
	s->learned_count = kept;
}

/* At level 0 no assignment needs a reason any more. */
static void clear_reasons(struct order_solver *s)
{
	assert(order_level(s) == 0);
	for (size_t i = 0; i < s->trail.count; i++)
		s->vars.items[solve_lit_var(s->trail.items[i])].reason = ORDER_NONE;
}

void order_solver_reduce(struct order_solver *s)
{
	uint32_t histogram[64] = {0}, sum = 0, worst = 0;

	if (s->learned_count < s->learned_limit)
		return;
	clear_reasons(s);
	for (uint32_t at = 0; at < s->learned.count;) {
		struct order_clause *c = (struct order_clause *)(s->learned.items + at);

		histogram[c->rank < 63 ? c->rank : 63]++;
		at += (uint32_t)ORDER_HEADER + c->size;
	}
	while (worst < 63 && sum < s->learned_count / 2)
		sum += histogram[worst++];
	if (worst > 3)
		worst--;
	keep_below(s, worst);
	s->learned_limit += s->learned_limit / 8;
}

/* That the last bound cannot be kept is no lasting fact.  Nothing follows from it. */
static void unassign_bound(struct order_solver *s)
{
	size_t at = 0;

	if (!s->value.items[ORDER_BOUND])
		return;
	while (s->trail.items[at] != solve_not(ORDER_BOUND)) {
		at++;
		assert(at < s->trail.count);
	}
	memmove(s->trail.items + at, s->trail.items + at + 1,
		(s->trail.count - at - 1) * sizeof(solve_lit));
	s->trail.count--;
	s->head -= s->head > at;
	s->theory_head -= s->theory_head > at;
	s->base_edges -= s->base_edges > at;
	s->value.items[ORDER_BOUND] = s->value.items[solve_not(ORDER_BOUND)] = 0;
}

void order_solver_forget_bound(struct order_solver *s)
{
	clear_reasons(s);
	unassign_bound(s);
	keep_below(s, ORDER_UNDER_BOUND);
}
