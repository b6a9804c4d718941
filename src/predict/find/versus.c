#include "predict/find/versus.h"

#include "base/clock.h"
#include "base/mem.h"
#include "predict/order/check.h"
#include "predict/find/race.h"

/* A solver for each question costs its formula again every time; so many show what that is. */
#define FRESH_QUESTIONS 8

struct duel {
	struct predict_engine *e;
	enum predict_model model;
	predict_smt_backend_fn backend;
	struct prediction_versus *out;
	struct predict_smt *session;
	struct predict_question q;
	struct predict_verdict v;
	struct predict_order witness;
	struct err *err;
};

static void list_candidates(const struct duel *d, struct predict_races *all)
{
	const struct predict_core *c = d->e->core;
	uint32_t locs = predict_names_count(&c->t->locs);
	struct predict_races list = {.left_out = 0};

	for (uint32_t loc = 0; loc < locs; loc++) {
		if (c->accesses.first[loc + 1] - c->accesses.first[loc] < 2)
			continue;
		predict_race_list(c, d->model == MODEL_CDSR ? d->e->reads : d->e->sync, loc,
				  SIZE_MAX, &list);
		for (size_t i = 0; i < list.count; i++)
			vec_push(all, list.items[i]);
	}
	vec_free(&list);
}

static int differ(struct duel *d, const char *what)
{
	const uint32_t *t = d->q.targets.items;

	return err_set(d->err, ERR_INTERNAL, "race #%u #%u under %s: %s says %s, %s", t[0] + 1,
		       t[1] + 1, predict_model_text(d->model), "the decision procedure",
		       predict_answer_text(d->v.answer), what);
}

static int compare(struct duel *d, enum solve_answer a)
{
	struct err why = ERR_INIT;

	if (a == SOLVE_UNKNOWN || d->v.answer == ANSWER_UNKNOWN)
		return 0;
	if ((a == SOLVE_SAT) != (d->v.answer == ANSWER_FEASIBLE))
		return differ(d, a == SOLVE_SAT ? "the solver feasible" : "the solver infeasible");
	if (a == SOLVE_SAT && predict_check_witness(d->e->t, &d->q, d->model, d->witness.items,
						    d->witness.count, &why) != 0)
		return differ(d, why.text);
	return 0;
}

static enum solve_answer ask_fresh(struct duel *d)
{
	struct predict_smt *s = predict_smt_new(d->e, d->model, PREDICT_NONE, d->backend);
	enum solve_answer a;

	vec_clear(&d->witness);
	a = predict_smt_ask(s, &d->q, &d->witness);
	predict_smt_free(s);
	return a;
}

static int one_question(struct duel *d, bool fresh)
{
	struct prediction_versus *out = d->out;
	enum solve_answer a;
	double t = clock_cpu();
	int code = predict_decide(d->e, &d->q, d->model, &d->v, d->err);

	out->own += clock_cpu() - t;
	out->questions++;
	out->feasible += d->v.answer == ANSWER_FEASIBLE;
	vec_clear(&d->witness);
	t = clock_cpu();
	a = predict_smt_ask(d->session, &d->q, &d->witness);
	out->session += clock_cpu() - t;
	out->unknown += a == SOLVE_UNKNOWN || d->v.answer == ANSWER_UNKNOWN;
	if (code == 0)
		code = compare(d, a);
	if (code == 0 && fresh) {
		t = clock_cpu();
		a = ask_fresh(d);
		out->fresh += clock_cpu() - t;
		out->fresh_questions++;
		code = compare(d, a);
	}
	return code;
}

static int ask_all(struct duel *d, const struct predict_races *all, uint64_t limit)
{
	uint64_t n = all->count < limit ? all->count : limit;
	uint64_t apart = n > FRESH_QUESTIONS ? n / FRESH_QUESTIONS : 1;
	int code = 0;

	for (uint64_t i = 0; i < n && code == 0; i++) {
		const struct predict_race *r = &all->items[i * all->count / n];

		predict_question_race(&d->q, r->a, r->b);
		code = one_question(d, i % apart == 0);
	}
	return code;
}

int predict_versus(struct predict_engine *e, enum predict_model model,
		   predict_smt_backend_fn backend, uint64_t limit, struct prediction_versus *out,
		   struct err *err)
{
	struct duel d = {.e = e, .model = model, .backend = backend, .out = out, .err = err};
	struct predict_races all = {.left_out = 0};
	double t = clock_cpu();
	int code;

	*out = (struct prediction_versus){.name = "solver"};
	d.session = predict_smt_new(e, model, PREDICT_NONE, backend);
	out->encode = clock_cpu() - t;
	out->points = predict_smt_formula(d.session)->nodes;
	out->clauses = (uint32_t)solve_formula_clauses(predict_smt_formula(d.session));
	list_candidates(&d, &all);
	out->candidates = all.count;
	code = ask_all(&d, &all, limit);
	predict_smt_free(d.session);
	predict_question_fini(&d.q);
	predict_verdict_fini(&d.v);
	vec_free(&d.witness);
	vec_free(&all);
	return code;
}
