#include "predict/order/smt.h"

#include <assert.h>
#include <stdlib.h>

#include "base/mem.h"

struct predict_smt {
	const struct predict_core *c;
	const struct predict_rows *hard; /* what the fixed edges imply */
	enum predict_model model;
	uint32_t exempt; /* core event or PREDICT_NONE */
	uint32_t now;	 /* node */
	struct solve_formula f;
	struct solve_backend *backend;
	solve_lit *in; /* by core event: it is executed; SOLVE_FALSE before its first use */
	VEC(solve_lit) assumptions;
};

/* ---- literals ---- */

/* A step is one point, that of its head. */
static uint32_t point(const struct predict_smt *s, uint32_t e)
{
	return e == s->now ? e : predict_core_head(s->c, e);
}

static solve_lit before(struct predict_smt *s, uint32_t u, uint32_t v)
{
	assert(point(s, u) != point(s, v));
	return solve_pos(solve_formula_order(&s->f, point(s, u), point(s, v)));
}

static solve_lit executed(struct predict_smt *s, uint32_t e)
{
	e = point(s, e);
	if (s->in[e] == SOLVE_FALSE)
		s->in[e] = before(s, e, s->now);
	return s->in[e];
}

/* The read must see its write: it is executed, or for the exempt one, its thread has gone on. */
static solve_lit constrained(struct predict_smt *s, uint32_t r)
{
	if (r != s->exempt)
		return executed(s, r);
	return r + 1 < s->c->start[s->c->thread[r] + 1] ? executed(s, r + 1) : SOLVE_FALSE;
}

static bool hard(const struct predict_smt *s, uint32_t u, uint32_t v)
{
	return predict_rows_before(s->hard, u, v);
}

/*
 * guard1 and guard2 -> (u1 before v1) or (u2 before v2), less what the fixed edges decide.  u may
 * be PREDICT_NONE: that option does not exist.
 */
static void choose(struct predict_smt *s, const solve_lit guard[2], const uint32_t option1[2],
		   const uint32_t option2[2])
{
	const uint32_t *options[] = {option1, option2};
	solve_lit clause[4] = {solve_not(guard[0]), solve_not(guard[1]), SOLVE_FALSE, SOLVE_FALSE};

	if (guard[0] == SOLVE_FALSE || guard[1] == SOLVE_FALSE)
		return;
	for (int i = 0; i < 2; i++) {
		const uint32_t *o = options[i];

		if (o[0] != PREDICT_NONE && hard(s, o[0], o[1]))
			return;
	}
	for (int i = 0; i < 2; i++) {
		const uint32_t *o = options[i];

		if (o[0] != PREDICT_NONE && o[0] != o[1] && !hard(s, o[1], o[0]))
			clause[2 + i] = before(s, o[0], o[1]);
	}
	solve_formula_clause(&s->f, clause, 4);
}

/* ---- the trace ---- */

static void add_fixed(struct predict_smt *s, uint32_t u, uint32_t v)
{
	if (point(s, u) != point(s, v))
		solve_formula_edge(&s->f, point(s, u), point(s, v));
}

static void add_fixed_edges(struct predict_smt *s)
{
	const struct predict_core *c = s->c;

	for (uint32_t e = 0; e < c->n; e++) {
		if (e > c->start[c->thread[e]])
			add_fixed(s, e - 1, e);
		for (uint32_t i = c->pred_first[e]; i < c->pred_first[e + 1]; i++)
			add_fixed(s, c->pred[i], e);
		if (s->model == MODEL_CDSR && predict_op_reads(c->op[e]) && e != s->exempt &&
		    c->rf[e] != PREDICT_NONE)
			add_fixed(s, c->rf[e], e);
	}
}

static void exclude(struct predict_smt *s, uint32_t acq1, uint32_t acq2)
{
	const struct predict_core *c = s->c;
	uint32_t option1[2] = {c->match[acq1], acq2}, option2[2] = {c->match[acq2], acq1};
	solve_lit guard[2];

	if (c->thread[acq1] == c->thread[acq2] || (c->shared[acq1] && c->shared[acq2]))
		return;
	guard[0] = executed(s, acq1);
	guard[1] = executed(s, acq2);
	choose(s, guard, option1, option2);
}

static void add_sections(struct predict_smt *s)
{
	const struct predict_index *x = &s->c->sections;
	uint32_t locks = predict_names_count(&s->c->t->locks);

	for (uint32_t l = 0; l < locks; l++) {
		uint32_t from, to;

		if (x->first[l] == x->first[l + 1])
			continue;
		from = x->groups[x->first[l]].begin;
		to = x->groups[x->first[l + 1] - 1].end;
		for (uint32_t i = from; i < to; i++) {
			for (uint32_t k = i + 1; k < to; k++)
				exclude(s, x->items[i], x->items[k]);
		}
	}
}

/* Write w2 does not come between the writer of r and r. */
static void keep_away(struct predict_smt *s, solve_lit guard, uint32_t r, uint32_t w2)
{
	uint32_t w = s->c->rf[r];
	uint32_t first[2] = {w == PREDICT_NONE ? PREDICT_NONE : w2, w}, last[2] = {r, w2};
	solve_lit guards[2] = {guard, SOLVE_TRUE};

	if (w2 != r && w2 != w)
		choose(s, guards, first, last);
}

static void add_reads(struct predict_smt *s)
{
	const struct predict_core *c = s->c;
	const struct predict_index *x = &c->writes;

	for (uint32_t r = 0; r < c->n; r++) {
		uint32_t loc = c->object[r];
		solve_lit guard;

		if (!predict_op_reads(c->op[r]))
			continue;
		guard = constrained(s, r);
		if (r == s->exempt && c->rf[r] != PREDICT_NONE) {
			solve_lit clause[2] = {solve_not(guard), before(s, c->rf[r], r)};

			solve_formula_clause(&s->f, clause, 2);
		}
		for (uint32_t g = x->first[loc]; g < x->first[loc + 1]; g++) {
			for (uint32_t i = x->groups[g].begin; i < x->groups[g].end; i++)
				keep_away(s, guard, r, x->items[i]);
		}
	}
}

struct predict_smt *predict_smt_new(const struct predict_engine *e, enum predict_model model,
				    uint32_t exempt, predict_smt_backend_fn backend)
{
	struct predict_smt *s = xcalloc(1, sizeof(*s));

	assert(model == MODEL_CSR || model == MODEL_CDSR);
	s->c = e->core;
	s->model = model;
	s->hard = model == MODEL_CDSR ? e->reads : e->sync;
	s->exempt = predict_core_exempt(e->core, exempt);
	s->now = e->core->n;
	solve_formula_init(&s->f, e->core->n + 1);
	s->in = xmalloc((e->core->n + 1) * sizeof(*s->in));
	for (uint32_t i = 0; i < e->core->n; i++)
		s->in[i] = SOLVE_FALSE;
	add_fixed_edges(s);
	add_sections(s);
	if (model == MODEL_CDSR)
		add_reads(s);
	s->backend = backend(&s->f);
	return s;
}

void predict_smt_free(struct predict_smt *s)
{
	if (s == NULL)
		return;
	solve_backend_free(s->backend);
	solve_formula_fini(&s->f);
	vec_free(&s->assumptions);
	free(s->in);
	free(s);
}

/* ---- questions ---- */

/* Everything of the thread before trace event e has happened, and the thread exists. */
static void assume_reached(struct predict_smt *s, uint32_t e)
{
	const struct predict_core *c = s->c;
	uint32_t thread = c->t->events.items[e].thread;
	uint32_t at = predict_core_at_or_after(c, predict_trace_head(c->t, e));

	if (at == PREDICT_NONE)
		at = c->start[thread + 1];
	if (at > c->start[thread])
		vec_push(&s->assumptions, executed(s, at - 1));
	else if (c->t->fork_of[thread] != PREDICT_NONE)
		vec_push(&s->assumptions, executed(s, c->of[c->t->fork_of[thread]]));
}

static void assume_pending(struct predict_smt *s, uint32_t e)
{
	uint32_t at = predict_core_at_or_after(s->c, predict_trace_head(s->c->t, e));

	assume_reached(s, e);
	if (at != PREDICT_NONE)
		vec_push(&s->assumptions, solve_not(executed(s, at)));
}

static void assume_done(struct predict_smt *s, uint32_t e)
{
	assert(s->c->of[e] != PREDICT_NONE);
	vec_push(&s->assumptions, executed(s, s->c->of[e]));
}

/* Now, the read would see the write it saw. */
static void assume_strict(struct predict_smt *s, uint32_t e, solve_lit asked)
{
	const struct predict_core *c = s->c;
	uint32_t w = c->t->rf[e], loc = c->t->events.items[e].object;
	const struct predict_index *x = &c->writes;

	if (w != PREDICT_NONE)
		assume_done(s, w);
	for (uint32_t g = x->first[loc]; g < x->first[loc + 1]; g++) {
		for (uint32_t i = x->groups[g].begin; i < x->groups[g].end; i++) {
			uint32_t w2 = x->items[i];
			solve_lit clause[3] = {solve_not(asked), solve_not(executed(s, w2)),
					       SOLVE_FALSE};

			if (w != PREDICT_NONE && w2 == c->of[w])
				continue;
			if (w != PREDICT_NONE && predict_core_one_step(c, w2, c->of[w]))
				clause[2] = w2 < c->of[w] ? SOLVE_TRUE : SOLVE_FALSE;
			else if (w != PREDICT_NONE)
				clause[2] = before(s, w2, c->of[w]);
			solve_formula_clause(&s->f, clause, 3);
		}
	}
}

/* Whoever has taken the lock has left it. */
static void assume_free(struct predict_smt *s, const struct predict_event *want, solve_lit asked)
{
	const struct predict_core *c = s->c;
	const struct predict_index *x =
		want->flags & PREDICT_SHARED ? &c->exclusives : &c->sections;

	for (uint32_t g = x->first[want->object]; g < x->first[want->object + 1]; g++) {
		for (uint32_t i = x->groups[g].begin; i < x->groups[g].end; i++) {
			uint32_t rel = c->match[x->items[i]];
			solve_lit clause[3] = {solve_not(asked),
					       solve_not(executed(s, x->items[i])), SOLVE_FALSE};

			if (x->groups[g].thread == want->thread)
				continue;
			if (rel != PREDICT_NONE)
				clause[2] = executed(s, rel);
			solve_formula_clause(&s->f, clause, 3);
		}
	}
}

/* What the step of the target does before it could happen now. */
static void assume_prefix(struct predict_smt *s, uint32_t target, solve_lit asked)
{
	const struct predict_core *c = s->c;
	const struct predict_trace *t = c->t;
	uint32_t head = predict_trace_head(t, target);

	for (uint32_t e = head; e < predict_trace_access(t, target); e++) {
		uint32_t m = c->of[e];
		bool own = t->rf[e] != PREDICT_NONE && t->rf[e] >= head;

		if (m == PREDICT_NONE)
			continue;
		if (predict_op_reads(c->op[m]) && s->model == MODEL_CDSR && !own)
			assume_strict(s, e, asked);
		if (c->op[m] == OP_ACQ)
			assume_free(s, &t->events.items[e], asked);
		for (uint32_t p = c->pred_first[m]; p < c->pred_first[m + 1]; p++) {
			if (!predict_core_one_step(c, c->pred[p], m))
				vec_push(&s->assumptions, executed(s, c->pred[p]));
		}
	}
}

static void assume(struct predict_smt *s, const struct predict_question *q)
{
	const struct predict_core *c = s->c;
	solve_lit asked = SOLVE_TRUE;
	bool glued = false;

	vec_clear(&s->assumptions);
	/* Clauses of this question only; later ones do not make the literal true. */
	for (size_t i = 0; i < q->targets.count; i++)
		glued |= !predict_trace_alone(c->t, q->targets.items[i]);
	if (q->strict || q->order.count > 0 || glued) {
		asked = solve_pos(solve_formula_plain(&s->f, false));
		vec_push(&s->assumptions, asked);
	}
	for (size_t i = 0; i < q->targets.count; i++) {
		uint32_t e = q->targets.items[i];

		assume_pending(s, e);
		if (glued)
			assume_prefix(s, e, asked);
		for (size_t j = 0; j < i && glued; j++) {
			const struct predict_trace *t = c->t;
			uint32_t a = t->held[e], b = t->held[q->targets.items[j]];

			if (!predict_trace_sets_disjoint(t, t->lists.items[a].set,
							 t->lists.items[b].set))
				vec_push(&s->assumptions, solve_not(asked));
		}
		if (q->strict && s->model == MODEL_CDSR &&
		    predict_op_reads(c->t->events.items[e].op))
			assume_strict(s, e, asked);
	}
	for (size_t i = 0; i < q->required.count; i++)
		assume_done(s, q->required.items[i]);
	for (size_t i = 0; i < q->order.count; i++) {
		uint32_t u = c->of[q->order.items[i].sig], v = c->of[q->order.items[i].wait];
		solve_lit clause[3] = {solve_not(asked), solve_not(executed(s, v)), SOLVE_FALSE};

		if (predict_core_one_step(c, u, v))
			clause[2] = u < v ? SOLVE_TRUE : SOLVE_FALSE;
		else
			clause[2] = before(s, u, v);
		solve_formula_clause(&s->f, clause, 3);
	}
}

struct ranked {
	uint32_t rank, event;
};

static int by_rank(const void *a, const void *b)
{
	const struct ranked *x = a, *y = b;

	if (x->rank != y->rank)
		return x->rank < y->rank ? -1 : 1;
	return x->event < y->event ? -1 : x->event > y->event;
}

static void take_witness(const struct predict_smt *s, const struct predict_question *q,
			 const struct solve_model *m, struct predict_order *witness)
{
	struct ranked *done = xmalloc((s->c->n + 1) * sizeof(*done));
	uint32_t *order = xmalloc((s->c->n + 1) * sizeof(*order));
	uint32_t n = 0;

	for (uint32_t e = 0; e < s->c->n; e++) {
		if (m->ranks.items[point(s, e)] < m->ranks.items[s->now])
			done[n++] = (struct ranked){m->ranks.items[point(s, e)], e};
	}
	qsort(done, n, sizeof(*done), by_rank);
	for (uint32_t i = 0; i < n; i++)
		order[i] = done[i].event;
	predict_linear_expand(s->c, q, order, n, witness);
	free(done);
	free(order);
}

enum solve_answer predict_smt_ask(struct predict_smt *s, const struct predict_question *q,
				  struct predict_order *witness)
{
	struct solve_model m = {.values = VEC_INIT};
	struct solve_question ask = {.goal = SOLVE_ANY};
	enum solve_answer a;

	assert(predict_core_exempt(s->c, q->exempt) == s->exempt);
	assume(s, q);
	ask.assumptions = s->assumptions.items;
	ask.count = s->assumptions.count;
	a = solve_ask(s->backend, &ask, &m);
	if (a == SOLVE_SAT)
		take_witness(s, q, &m, witness);
	solve_model_fini(&m);
	return a;
}

const struct solve_formula *predict_smt_formula(const struct predict_smt *s)
{
	return &s->f;
}
