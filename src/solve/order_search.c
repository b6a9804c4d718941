#include "solve/order_solver.h"

#include <assert.h>

static inline int8_t value(const struct order_solver *s, solve_lit l)
{
	return s->value.items[l];
}

static inline struct order_var *var_of(struct order_solver *s, solve_lit l)
{
	return &s->vars.items[solve_lit_var(l)];
}

void order_solver_assign(struct order_solver *s, solve_lit l, uint32_t reason)
{
	struct order_var *v = var_of(s, l);

	assert(!value(s, l) && !value(s, solve_not(l)));
	assert(s->trail.count < s->vars.count);
	s->value.items[l] = 1;
	s->value.items[solve_not(l)] = -1;
	v->level = order_level(s);
	v->reason = reason;
	vec_push(&s->trail, l);
}

/* Finds the clause another literal to watch; false when there is none. */
static bool move_watch(struct order_solver *s, struct order_clause *c, uint32_t ref)
{
	for (uint32_t k = 2; k < c->size; k++) {
		struct order_watch w = {ref, c->lits[0]};
		solve_lit l = c->lits[k];

		if (value(s, l) < 0)
			continue;
		c->lits[k] = c->lits[1];
		c->lits[1] = l;
		vec_push(&s->watches.items[l], w);
		return true;
	}
	return false;
}

static void violated(struct order_solver *s, const struct order_clause *c)
{
	vec_clear(&s->conflict);
	for (uint32_t i = 0; i < c->size; i++)
		vec_push(&s->conflict, c->lits[i]);
}

/* The literal `no' became false. */
static bool visit_watches(struct order_solver *s, solve_lit no)
{
	struct order_watches *w = &s->watches.items[no];
	size_t kept = 0, i = 0;
	bool fine = true;

	while (i < w->count) {
		struct order_watch at = w->items[i++];
		struct order_clause *c;

		if (value(s, at.blocker) > 0) {
			w->items[kept++] = at;
			continue;
		}
		c = order_clause_get(s, at.clause);
		assert(c->lits[0] == no || c->lits[1] == no);
		if (c->lits[0] == no) {
			c->lits[0] = c->lits[1];
			c->lits[1] = no;
		}
		at.blocker = c->lits[0];
		if (value(s, c->lits[0]) <= 0 && move_watch(s, c, at.clause))
			continue;
		w->items[kept++] = at;
		if (value(s, c->lits[0]) < 0) {
			violated(s, c);
			fine = false;
			break;
		}
		if (!value(s, c->lits[0])) {
			order_solver_assign(s, c->lits[0], at.clause);
			s->base.stats.propagations++;
		}
	}
	while (i < w->count)
		w->items[kept++] = w->items[i++];
	w->count = kept;
	return fine;
}

static bool exceed_bound(struct order_solver *s)
{
	vec_clear(&s->conflict);
	vec_push(&s->conflict, solve_not(ORDER_BOUND));
	for (size_t i = 0; i <= s->theory_head; i++) {
		solve_lit l = s->trail.items[i];

		if (!solve_lit_negated(l) && var_of(s, l)->counted)
			vec_push(&s->conflict, solve_not(l));
	}
	return false;
}

/* Tells the order and the count about the next literal of the trail. */
static bool theory_step(struct order_solver *s)
{
	solve_lit l = s->trail.items[s->theory_head];
	const struct order_var *v = var_of(s, l);
	bool no = solve_lit_negated(l);

	if (v->a == ORDER_NONE) {
		if (l == ORDER_BOUND && s->cost > s->bound)
			return exceed_bound(s);
		if (v->counted && !no) {
			if (value(s, ORDER_BOUND) > 0 && s->cost >= s->bound)
				return exceed_bound(s);
			s->cost++;
		}
		s->theory_head++;
		return true;
	}
	vec_clear(&s->cycle);
	if (order_graph_add(&s->graph, solve_lit_var(l), no ? v->b : v->a, no ? v->a : v->b,
			    &s->cycle)) {
		s->theory_head++;
		return true;
	}
	vec_clear(&s->conflict);
	vec_push(&s->conflict, solve_not(l));
	for (size_t i = 0; i < s->cycle.count; i++) {
		solve_lit e = solve_pos(s->cycle.items[i]);

		assert(value(s, e));
		vec_push(&s->conflict, value(s, e) > 0 ? solve_not(e) : e);
	}
	return false;
}

bool order_solver_propagate(struct order_solver *s)
{
	for (;;) {
		while (s->head < s->trail.count) {
			if (!visit_watches(s, solve_not(s->trail.items[s->head++])))
				return false;
		}
		if (s->theory_head == s->trail.count)
			return true;
		if (!theory_step(s))
			return false;
	}
}

void order_solver_decide(struct order_solver *s, solve_lit l)
{
	assert(s->head == s->trail.count && s->theory_head == s->trail.count);
	vec_push(&s->limits, (uint32_t)s->trail.count);
	vec_push(&s->walks, s->walk);
	order_solver_assign(s, l, ORDER_NONE);
}

void order_solver_backtrack(struct order_solver *s, uint32_t level)
{
	if (order_level(s) <= level)
		return;
	while (s->trail.count > s->limits.items[level]) {
		solve_lit l = vec_pop(&s->trail);
		struct order_var *v = var_of(s, l);

		if (s->trail.count < s->theory_head) {
			s->theory_head--;
			if (v->a != ORDER_NONE)
				order_graph_remove(&s->graph, solve_lit_var(l));
			else if (v->counted && !solve_lit_negated(l))
				s->cost--;
		}
		s->value.items[l] = s->value.items[solve_not(l)] = 0;
		v->reason = ORDER_NONE;
	}
	assert(s->theory_head <= s->trail.count && s->limits.count == s->walks.count);
	s->head = s->theory_head = s->trail.count;
	s->walk = s->walks.items[level];
	s->limits.count = s->walks.count = level;
}

static void bump(struct order_solver *s, struct order_var *v)
{
	v->activity += s->increment;
	if (v->activity < 1e30f)
		return;
	for (size_t i = 0; i < s->vars.count; i++)
		s->vars.items[i].activity *= 1e-30f;
	s->increment *= 1e-30f;
}

static void mark(struct order_solver *s, solve_lit l)
{
	struct order_var *v = var_of(s, l);

	v->seen = true;
	vec_push(&s->seen_list, l);
	bump(s, v);
}

/* Literals of a clause that matter go to the clause being learned, or wait on the trail. */
static uint32_t resolve(struct order_solver *s, const solve_lit *lits, size_t n, solve_lit except)
{
	uint32_t open = 0;

	for (size_t i = 0; i < n; i++) {
		struct order_var *v = var_of(s, lits[i]);

		if (lits[i] == except || v->seen || !v->level)
			continue;
		mark(s, lits[i]);
		if (v->level == order_level(s))
			open++;
		else
			vec_push(&s->clause, lits[i]);
	}
	return open;
}

/* Whether l follows from other literals of the learned clause: then it need not be in it. */
static bool redundant(struct order_solver *s, solve_lit l)
{
	size_t before = s->seen_list.count;

	if (var_of(s, l)->reason == ORDER_NONE)
		return false;
	vec_clear(&s->stack);
	vec_push(&s->stack, l);
	while (s->stack.count) {
		solve_lit at = vec_pop(&s->stack);
		struct order_clause *c = order_clause_get(s, var_of(s, at)->reason);

		assert(var_of(s, at)->reason != ORDER_NONE);
		for (uint32_t i = 0; i < c->size; i++) {
			struct order_var *v = var_of(s, c->lits[i]);

			if (c->lits[i] == solve_not(at) || v->seen || !v->level)
				continue;
			if (v->reason == ORDER_NONE || v->level == order_level(s)) {
				while (s->seen_list.count > before)
					var_of(s, vec_pop(&s->seen_list))->seen = false;
				return false;
			}
			v->seen = true;
			vec_push(&s->seen_list, c->lits[i]);
			vec_push(&s->stack, c->lits[i]);
		}
	}
	return true;
}

static void minimise(struct order_solver *s)
{
	size_t kept = 1;

	for (size_t i = 1; i < s->clause.count; i++) {
		if (!redundant(s, s->clause.items[i]))
			s->clause.items[kept++] = s->clause.items[i];
	}
	s->clause.count = kept;
}

/* Puts a literal of the highest level below the current one second; returns that level. */
static uint32_t second_level(struct order_solver *s)
{
	size_t best = 1;

	if (s->clause.count == 1)
		return 0;
	for (size_t i = 2; i < s->clause.count; i++) {
		if (var_of(s, s->clause.items[i])->level > var_of(s, s->clause.items[best])->level)
			best = i;
	}
	solve_lit l = s->clause.items[best];

	s->clause.items[best] = s->clause.items[1];
	s->clause.items[1] = l;
	return var_of(s, l)->level;
}

static uint32_t count_levels(struct order_solver *s)
{
	uint32_t n = 0, last = ORDER_NONE;

	for (size_t i = 0; i < s->clause.count; i++) {
		uint32_t level = var_of(s, s->clause.items[i])->level;

		if (s->clause.items[i] == solve_not(ORDER_BOUND))
			return ORDER_UNDER_BOUND;
		n += level != last;
		last = level;
	}
	return n;
}

uint32_t order_solver_analyze(struct order_solver *s, uint32_t *rank)
{
	size_t at = s->trail.count;
	uint32_t open, level;
	solve_lit l;

	vec_clear(&s->clause);
	vec_push(&s->clause, 0);
	open = resolve(s, s->conflict.items, s->conflict.count, ORDER_NONE);
	assert(open > 0);
	for (;;) {
		struct order_clause *c;

		do
			l = s->trail.items[--at];
		while (!var_of(s, l)->seen);
		assert(var_of(s, l)->level == order_level(s));
		if (--open == 0)
			break;
		assert(var_of(s, l)->reason != ORDER_NONE);
		c = order_clause_get(s, var_of(s, l)->reason);
		open += resolve(s, c->lits, c->size, l);
	}
	s->clause.items[0] = solve_not(l);
	minimise(s);
	level = second_level(s);
	assert(level < order_level(s) && s->clause.count > 0);
	*rank = count_levels(s);
	while (s->seen_list.count)
		var_of(s, vec_pop(&s->seen_list))->seen = false;
	s->increment *= 1.05f;
	return level;
}

/* As mark(), but nothing is learned about what matters. */
static void note(struct order_solver *s, solve_lit l)
{
	if (var_of(s, l)->seen)
		return;
	var_of(s, l)->seen = true;
	vec_push(&s->seen_list, l);
}

void order_solver_core(struct order_solver *s, solve_lit a, struct solve_lits *core)
{
	if (a != ORDER_BOUND)
		vec_push(core, a - 2);
	note(s, a);
	for (size_t at = s->trail.count; at-- > 0;) {
		solve_lit l = s->trail.items[at];
		struct order_var *v = var_of(s, l);

		if (!v->seen || !v->level)
			continue;
		if (v->reason == ORDER_NONE) {
			if (l != ORDER_BOUND)
				vec_push(core, l - 2);
			continue;
		}
		const struct order_clause *c = order_clause_get(s, v->reason);

		for (uint32_t i = 0; i < c->size; i++)
			note(s, c->lits[i]);
	}
	while (s->seen_list.count)
		var_of(s, vec_pop(&s->seen_list))->seen = false;
}

/* True under the topological order as it stands. */
static bool order_says(struct order_solver *s, solve_lit l)
{
	const struct order_var *v = var_of(s, l);

	assert(v->a != ORDER_NONE);
	return (s->graph.pos[v->a] < s->graph.pos[v->b]) != solve_lit_negated(l);
}

/* A literal that makes the clause hold, ORDER_NONE when it does already. */
static solve_lit wanting(struct order_solver *s, uint32_t ref)
{
	struct order_clause *c = order_clause_get(s, ref);
	solve_lit plain = ORDER_NONE, order = ORDER_NONE, agreeing = ORDER_NONE;
	float best = -1;

	for (uint32_t i = 0; i < c->size; i++) {
		solve_lit l = c->lits[i];
		struct order_var *v = var_of(s, l);

		if (value(s, l) < 0)
			continue;
		if (value(s, l) > 0 || (v->a == ORDER_NONE && solve_lit_negated(l)))
			return ORDER_NONE;
		if (v->a != ORDER_NONE) {
			order = l;
			if (order_says(s, l))
				agreeing = l;
		} else if (v->activity > best) {
			best = v->activity;
			plain = l;
		}
	}
	if (agreeing != ORDER_NONE)
		return agreeing;
	assert(plain != ORDER_NONE || order != ORDER_NONE);
	return plain != ORDER_NONE ? plain : order;
}

solve_lit order_solver_choose(struct order_solver *s)
{
	struct order_walk *w = &s->walk;
	solve_lit l;

	for (; w->fixed < s->always.count; w->fixed++) {
		l = wanting(s, s->always.items[w->fixed]);
		if (l != ORDER_NONE)
			return l;
	}
	for (; w->trail < s->trail.count; w->trail++, w->item = 0) {
		solve_lit t = s->trail.items[w->trail];
		const struct order_group *g = &s->groups.items[solve_lit_var(t)];

		if (solve_lit_negated(t))
			continue;
		for (; w->item < g->count; w->item++) {
			l = wanting(s, g->items[w->item]);
			if (l != ORDER_NONE)
				return l;
		}
	}
	return ORDER_NONE;
}
