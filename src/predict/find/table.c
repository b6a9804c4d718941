#include "predict/find/table.h"

#include <assert.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/mem.h"
#include "predict/find/deadlock.h"
#include "predict/find/race.h"

struct filler {
	struct predict_engine *engine;
	struct predict_table *out;
	struct predict_verdict v;
	double started;
	struct err *e;
	int code;
};

static void put(struct filler *f, struct predict_row *row, enum predict_method m,
		enum predict_cell cell)
{
	double t = clock_cpu();

	row->cell[m] = (uint8_t)cell;
	f->out->yes[m] += cell == CELL_YES;
	f->out->unknown[m] += cell == CELL_UNKNOWN;
	f->out->seconds[m] += t - f->started;
	f->started = t;
}

static enum predict_cell yes_no(bool yes)
{
	return yes ? CELL_YES : CELL_NO;
}

static enum predict_cell exact(struct filler *f, const struct predict_question *q,
			       enum predict_model model, enum predict_stage *stage)
{
	if (f->code == 0)
		f->code = predict_decide(f->engine, q, model, &f->v, f->e);
	*stage = f->v.stage;
	return f->v.answer == ANSWER_UNKNOWN ? CELL_UNKNOWN
					     : yes_no(f->v.answer == ANSWER_FEASIBLE);
}

/* The partial orders speak of pairs; the earlier event comes first. */
static void put_orders(struct filler *f, struct predict_row *row)
{
	const struct predict_core *c = f->engine->core;
	uint32_t a = c->of[row->a < row->b ? row->a : row->b];
	uint32_t b = c->of[row->a < row->b ? row->b : row->a];
	bool candidate = predict_race_is_candidate(f->engine->t, row->a, row->b);

	put(f, row, METHOD_LS, yes_no(candidate));
	put(f, row, METHOD_HB,
	    yes_no(candidate && !predict_rows_before(predict_engine_hb(f->engine), a, b)));
	put(f, row, METHOD_CP,
	    yes_no(candidate && !predict_cp_before(predict_engine_cp(f->engine), a, b)));
}

static void put_filter(struct filler *f, struct predict_row *row, const struct predict_question *q)
{
	bool candidate = true;

	if (row->kind == KIND_RACE) {
		put_orders(f, row);
		return;
	}
	if (row->kind == KIND_DEADLOCK)
		candidate = predict_deadlock_is_stuck(f->engine->t, q->targets.items,
						      (uint32_t)q->targets.count);
	put(f, row, METHOD_LS, row->kind == KIND_DEADLOCK ? yes_no(candidate) : CELL_NONE);
	put(f, row, METHOD_HB, CELL_NONE);
	put(f, row, METHOD_CP, CELL_NONE);
}

static void put_exact(struct filler *f, struct predict_row *row, const struct predict_question *q)
{
	bool pending = row->kind == KIND_RACE || row->kind == KIND_DEADLOCK;
	enum predict_cell cpd;

	put(f, row, METHOD_UCGD, yes_no(predict_decide_ucg(f->engine, q, true)));
	put(f, row, METHOD_UCG, yes_no(predict_decide_ucg(f->engine, q, false)));
	put(f, row, METHOD_CSR, exact(f, q, MODEL_CSR, &row->csr_stage));
	put(f, row, METHOD_CDSR, exact(f, q, MODEL_CDSR, &row->cdsr_stage));
	put(f, row, METHOD_SYNCP, pending ? yes_no(predict_decide_sync(f->engine, q)) : CELL_NONE);
	cpd = row->cell[METHOD_CP] == CELL_YES ? row->cell[METHOD_CDSR] : CELL_NO;
	put(f, row, METHOD_CPD, row->kind == KIND_RACE ? cpd : CELL_NONE);
}

static void fill_row(struct filler *f, struct predict_row row, const struct predict_question *q)
{
	f->started = clock_cpu();
	put_filter(f, &row, q);
	/* What the filter rules out, no method of this family is asked about. */
	if (row.cell[METHOD_LS] == CELL_NO) {
		for (int m = METHOD_CPD; m < PREDICT_METHOD_COUNT; m++)
			put(f, &row, (enum predict_method)m, CELL_NO);
	} else {
		put_exact(f, &row, q);
	}
	vec_push(&f->out->rows, row);
}

static void fill_races(struct filler *f, uint64_t limit, bool strict)
{
	const struct predict_core *c = f->engine->core;
	uint32_t locs = predict_names_count(&c->t->locs);
	struct predict_races list = {.left_out = 0};
	struct predict_question q = PREDICT_QUESTION_INIT;

	for (uint32_t loc = 0; loc < locs && f->code == 0; loc++) {
		predict_race_list(c, NULL, loc, limit - f->out->rows.count, &list);
		f->out->left_out += list.left_out;
		for (size_t i = 0; i < list.count && f->code == 0; i++) {
			struct predict_row row = {
				.kind = KIND_RACE, .a = list.items[i].a, .b = list.items[i].b};

			row.name = xstrdup(predict_names_text(&c->t->locs, loc));
			predict_question_race(&q, row.a, row.b);
			q.strict = strict;
			fill_row(f, row, &q);
		}
	}
	vec_free(&list);
	predict_question_fini(&q);
}

int predict_table_fill(struct predict_engine *engine, const struct predict_asks *asks,
		       uint64_t limit, bool strict, struct predict_table *out, struct err *e)
{
	struct filler f = {.engine = engine, .out = out, .v = PREDICT_VERDICT_INIT, .e = e};

	/* Made before the clock runs: they belong to the trace, not to the first candidate. */
	predict_engine_cp(engine);
	if (asks == NULL || asks->count == 0)
		fill_races(&f, limit, strict);
	for (size_t i = 0; asks != NULL && i < asks->count && f.code == 0; i++) {
		const struct predict_ask *ask = &asks->items[i];
		struct predict_row row = {
			.kind = ask->q.kind, .a = PREDICT_NONE, .b = PREDICT_NONE};
		struct predict_question q = ask->q;

		q.strict = strict;
		row.name = xstrdup(ask->name);
		if (ask->q.kind == KIND_RACE) {
			row.a = ask->events.items[0];
			row.b = ask->events.items[1];
		}
		fill_row(&f, row, &q);
	}
	predict_verdict_fini(&f.v);
	return f.code;
}

void predict_table_fini(struct predict_table *t)
{
	for (size_t i = 0; i < t->rows.count; i++)
		free(t->rows.items[i].name);
	vec_free(&t->rows);
}

const char *predict_method_word(enum predict_method m)
{
	static const char *const words[] = {
#define X(name, word) word,
		PREDICT_METHODS(X)
#undef X
	};

	assert(m < PREDICT_METHOD_COUNT);
	return words[m];
}
