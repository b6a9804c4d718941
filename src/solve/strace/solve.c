#include "solve/strace/solve.h"

#include <assert.h>

#define BROKEN_PER_ROUND 16
#define LOOK_EVERY 8 /* rounds */

void strace_solution_fini(struct strace_solution *s)
{
	vec_free(&s->order);
}

/* The model's order without the nodes of switches. */
static void read_order(const struct strace_facts *f, const struct solve_model *m, uint32_t *order)
{
	uint32_t *at = xcalloc(f->nodes + 1, sizeof(*at)), n = 0;

	assert(m->ranks.count >= f->nodes);
	for (uint32_t v = 0; v < f->nodes; v++) {
		assert(m->ranks.items[v] < f->nodes);
		at[m->ranks.items[v]] = v;
	}
	for (uint32_t i = 0; i < f->nodes; i++)
		if (f->event[at[i]] != STRACE_NONE)
			order[n++] = f->event[at[i]];
	assert(n == f->t->events.count);
	free(at);
}

/* Adds what the order breaks.  Something is always new, or the order would not have come. */
static void learn(struct strace_encode *x, const struct strace_sim *s, const struct solve_model *m,
		  const uint32_t *order)
{
	strace_encode_enforce(x, s, m);
	for (size_t i = 0; i < s->blocks.count && i < BROKEN_PER_ROUND; i++)
		strace_encode_block(x, s, &s->blocks.items[i], order);
	/* Conditions behind a lock that was not free say nothing yet. */
	for (size_t i = 0; i < s->broken.count && i < BROKEN_PER_ROUND && !s->blocks.count; i++)
		strace_encode_broken(x, s, s->broken.items[i]);
}

static void note_core(const struct strace_encode *x, const struct solve_lits *core,
		      struct strace_solution *out)
{
	for (size_t i = 0; i < core->count; i++)
		for (int k = 0; k < STRACE_FAMILIES; k++)
			if (solve_lit_var(core->items[i]) == x->family[k])
				out->families |= 1u << k;
}

struct loop {
	struct strace_encode x;
	struct strace_sim sim;
	struct solve_backend *backend;
	struct solve_model model;
	struct solve_lits core;
	uint32_t *order;
};

static void loop(struct loop *l, const struct strace_solve_opts *o, struct strace_solution *out)
{
	solve_lit families[STRACE_FAMILIES];
	struct solve_question q = {.assumptions = families,
				   .count = STRACE_FAMILIES,
				   .goal = SOLVE_ANY,
				   .limit = o->limit,
				   .core = &l->core};

	for (int k = 0; k < STRACE_FAMILIES; k++)
		families[k] = solve_pos(l->x.family[k]);
	for (out->rounds = 1;; out->rounds++) {
		out->answer = solve_ask(l->backend, &q, &l->model);
		if (out->answer != SOLVE_SAT)
			break;
		read_order(l->x.facts, &l->model, l->order);
		strace_sim_run(&l->sim, l->order);
		if (strace_sim_good(&l->sim))
			break;
		if ((o->max_rounds && out->rounds >= o->max_rounds) ||
		    (out->rounds % LOOK_EVERY == 0 && limit_reached(o->limit) != LIMIT_NONE)) {
			out->answer = SOLVE_UNKNOWN;
			break;
		}
		learn(&l->x, &l->sim, &l->model, l->order);
	}
}

void strace_solve(const struct strace *t, const struct strace_solve_opts *o,
		  struct strace_solution *out)
{
	struct strace_facts_opts fo = {o->model, !o->no_cores, !o->no_cores};
	struct strace_facts facts;
	struct loop l = {.order = NULL};

	*out = (struct strace_solution){.answer = SOLVE_UNSAT};
	assert(t->sealed);
	strace_facts_init(&facts, t, &fo);
	if (facts.contradiction) {
		out->by_facts = true;
		strace_facts_fini(&facts);
		return;
	}
	strace_encode_init(&l.x, &facts, o->by_core);
	strace_sim_init(&l.sim, t, wire_model_buffers(o->model));
	l.order = xcalloc(t->events.count + 1, sizeof(*l.order));
	l.backend = o->backend ? o->backend(&l.x.f) : solve_backend_order(&l.x.f);
	loop(&l, o, out);
	for (size_t i = 0; i < t->events.count && out->answer == SOLVE_SAT; i++)
		vec_push(&out->order, l.order[i]);
	if (out->answer == SOLVE_UNSAT)
		note_core(&l.x, &l.core, out);
	if (out->answer == SOLVE_UNKNOWN)
		out->over = limit_reached(o->limit);
	out->clauses = solve_formula_clauses(&l.x.f);
	solve_backend_free(l.backend);
	solve_model_fini(&l.model);
	vec_free(&l.core);
	free(l.order);
	strace_sim_fini(&l.sim);
	strace_encode_fini(&l.x);
	strace_facts_fini(&facts);
}

void strace_solve_models(const struct strace *t, const struct strace_solve_opts *o,
			 struct strace_solution *out, enum wire_model *model)
{
	struct strace_solve_opts now = *o;
	bool unknown = false;

	for (int m = MODEL_SC;; m++) {
		now.model = (enum wire_model)m;
		strace_solve(t, &now, out);
		*model = now.model;
		unknown |= out->answer == SOLVE_UNKNOWN;
		if (out->answer == SOLVE_SAT || m + 1 == MODEL_COUNT)
			break;
		strace_solution_fini(out);
	}
	/* No under one model is no answer to a question that was not answered under another. */
	if (out->answer == SOLVE_UNSAT && unknown)
		out->answer = SOLVE_UNKNOWN;
}

void strace_solution_why(const struct strace_solution *s, struct strbuf *to)
{
	static const char *const names[STRACE_FAMILIES] = {"the recorded paths", "the failure",
							   "synchronisation", "sources of reads"};
	bool any = false;

	for (int k = 0; k < STRACE_FAMILIES; k++) {
		if (!(s->families >> k & 1))
			continue;
		strbuf_addf(to, "%s%s", any ? ", " : "", names[k]);
		any = true;
	}
	if (!any)
		strbuf_add(to, "the order of program and cores");
	strbuf_add(to, any ? " contradict each other" : " contradicts itself");
}
