#include "predict/order/search.h"

#include <assert.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/limit.h"

struct poly_list {
	VEC(struct predict_poly) items;
	size_t limit;
};

static bool collect(void *context, const struct predict_poly *p)
{
	struct poly_list *l = context;

	assert(l->items.count < l->limit);
	vec_push(&l->items, *p);
	return l->items.count < l->limit;
}

static void list_open(const struct predict_graph *g, struct poly_list *l, size_t limit)
{
	vec_clear(&l->items);
	l->limit = limit;
	predict_graph_open(g, collect, l);
}

/* Takes one unit of the budget; false when there is none left. */
static bool charge(struct predict_search *s)
{
	if (s->out || s->nodes_left == 0) {
		s->out = true;
		return false;
	}
	s->nodes_left--;
	if (clock_now() > s->deadline ||
	    limit_reached(s->limit) != LIMIT_NONE)
		s->out = true;
	return !s->out;
}

static bool still_open(const struct predict_graph *g, const struct predict_poly *p)
{
	return !(p->u1 != PREDICT_NONE && predict_graph_reaches(g, p->u1, p->v1)) &&
	       !(p->u2 != PREDICT_NONE && predict_graph_reaches(g, p->u2, p->v2));
}

/* ---- look-ahead ---- */

static bool refuted(struct predict_search *s, uint32_t depth);

/* True when u -> v leads to a conflict within depth more levels; leaves the graph unchanged. */
static bool option_fails(struct predict_search *s, uint32_t u, uint32_t v, uint32_t depth)
{
	struct predict_graph_mark m;
	bool fails = false;

	assert(!predict_graph_conflict(s->g));
	if (!charge(s))
		return false;
	m = predict_graph_mark(s->g);
	predict_graph_require(s->g, u, v);
	if (!predict_graph_propagate(s->g))
		fails = true;
	else if (depth > 0)
		fails = refuted(s, depth);
	predict_graph_undo(s->g, m);
	assert(!predict_graph_conflict(s->g));
	return fails;
}

#define LOOKAHEAD_LIMIT 400 /* alternatives looked at on one level */

/* Some open alternative has both options failing. */
static bool refuted(struct predict_search *s, uint32_t depth)
{
	struct poly_list l = {VEC_INIT, 0};
	bool found = false;

	list_open(s->g, &l, LOOKAHEAD_LIMIT);
	for (size_t i = 0; i < l.items.count && !found && !s->out; i++) {
		const struct predict_poly *p = &l.items.items[i];

		found = option_fails(s, p->u1, p->v1, depth - 1) &&
			option_fails(s, p->u2, p->v2, depth - 1);
	}
	vec_free(&l.items);
	return found;
}

/* Probes one alternative; false on conflict, *changed when an edge was forced. */
static bool probe_one(struct predict_search *s, const struct predict_poly *p, uint32_t depth,
		      bool *changed)
{
	if (!still_open(s->g, p))
		return true;
	if (option_fails(s, p->u1, p->v1, depth - 1)) {
		predict_graph_require(s->g, p->u2, p->v2);
		*changed = true;
	} else if (option_fails(s, p->u2, p->v2, depth - 1)) {
		predict_graph_require(s->g, p->u1, p->v1);
		*changed = true;
	}
	return predict_graph_propagate(s->g);
}

bool predict_search_probe(struct predict_search *s, uint32_t depth)
{
	struct poly_list l = {VEC_INIT, 0};
	bool changed = true, alive = true;

	while (changed && alive && !s->out) {
		changed = false;
		list_open(s->g, &l, LOOKAHEAD_LIMIT);
		for (size_t i = 0; i < l.items.count && alive && !s->out; i++)
			alive = probe_one(s, &l.items.items[i], depth, &changed);
	}
	vec_free(&l.items);
	return alive;
}

/* ---- complete search ---- */

struct choice {
	struct predict_graph_mark mark;
	struct predict_poly p;
	bool second; /* the option of the trace has failed */
};

struct stack {
	VEC(struct choice) items;
};

/* Goes back to the last choice with an untried option and takes it; false when none is left. */
static bool backtrack(struct predict_search *s, struct stack *stack)
{
	while (stack->items.count > 0) {
		struct choice *c = &vec_last(&stack->items);

		predict_graph_undo(s->g, c->mark);
		if (!c->second) {
			c->second = true;
			predict_graph_require(s->g, c->p.u2, c->p.v2);
			return true;
		}
		(void)vec_pop(&stack->items);
	}
	return false;
}

enum predict_answer predict_search_run(struct predict_search *s)
{
	struct predict_graph_mark start = predict_graph_mark(s->g);
	struct stack stack = {VEC_INIT};
	struct poly_list l = {VEC_INIT, 0};
	enum predict_answer answer = ANSWER_UNKNOWN;

	while (charge(s)) {
		if (!predict_graph_propagate(s->g)) {
			if (!backtrack(s, &stack)) {
				answer = ANSWER_INFEASIBLE;
				break;
			}
			continue;
		}
		assert(!predict_graph_conflict(s->g));
		list_open(s->g, &l, 1);
		if (l.items.count == 0) {
			answer = ANSWER_FEASIBLE;
			break;
		}
		vec_push(&stack.items,
			 ((struct choice){predict_graph_mark(s->g), l.items.items[0], false}));
		predict_graph_require(s->g, l.items.items[0].u1, l.items.items[0].v1);
	}
	if (answer != ANSWER_FEASIBLE)
		predict_graph_undo(s->g, start);
	vec_free(&l.items);
	vec_free(&stack.items);
	return answer;
}
