#include "predict/order/rows.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

struct filler {
	struct predict_rows *r;
	const struct predict_core *c;
	enum predict_rows_kind kind;
	bool fresh; /* the current event already has a stored row of its own */
};

static uint32_t new_row(struct predict_rows *r, uint32_t like)
{
	size_t k = r->c->threads, count = r->cells.count;

	assert(count % k == 0 && like < count / k);
	vec_reserve(&r->cells, count + k);
	memcpy(r->cells.items + count, r->cells.items + (size_t)like * k, k * sizeof(uint32_t));
	r->cells.count += k;
	return (uint32_t)(count / k);
}

/* Adds the edge u -> e to the row of e, which is being made. */
static void come_after(struct filler *f, uint32_t u, uint32_t e)
{
	struct predict_rows *r = f->r;
	uint32_t k = f->c->threads, thread = f->c->thread[u];
	uint32_t count = predict_core_pos(f->c, predict_core_tail(f->c, u)) + 1;
	uint32_t *to;
	const uint32_t *from;

	assert(u < f->c->n && e < f->c->n && count > 0);
	if (thread == f->c->thread[e] || predict_rows_get(r, e, thread) >= count)
		return;
	if (!f->fresh) {
		r->row_of[e] = new_row(r, r->row_of[e]);
		f->fresh = true;
	}
	to = r->cells.items + (size_t)r->row_of[e] * k;
	if (f->kind != ROWS_DIRECT) {
		from = predict_rows_cells(r, u);
		for (uint32_t i = 0; i < k; i++)
			to[i] = to[i] > from[i] ? to[i] : from[i];
	}
	to[thread] = to[thread] > count ? to[thread] : count;
}

/*
 * Happens-before: every release that excludes this acquisition and is earlier in the trace comes
 * before e, the head of its step.
 */
static void after_releases(struct filler *f, const uint32_t *done, uint32_t wanted, uint32_t e)
{
	const struct predict_core *c = f->c;
	const struct predict_index *x = c->shared[wanted] ? &c->exclusives : &c->sections;
	uint32_t lock = c->object[wanted];

	for (uint32_t g = x->first[lock]; g < x->first[lock + 1]; g++) {
		const struct predict_group *group = &x->groups[g];
		uint32_t acq = predict_core_last_below(c, x, group, done[group->thread]);

		if (acq != PREDICT_NONE && group->thread != c->thread[e] &&
		    c->match[acq] != PREDICT_NONE &&
		    predict_core_pos(c, c->match[acq]) < done[group->thread])
			come_after(f, c->match[acq], e);
	}
}

/* What must come before the step that begins with e. */
static void fill_step(struct filler *f, const uint32_t *done, uint32_t e)
{
	const struct predict_core *c = f->c;

	assert(predict_core_head(c, e) == e);
	for (uint32_t m = e; m <= predict_core_tail(c, e); m++) {
		assert(c->thread[m] == c->thread[e]); /* a step is of one thread */
		for (uint32_t p = c->pred_first[m]; p < c->pred_first[m + 1]; p++)
			come_after(f, c->pred[p], e);
		if (f->kind == ROWS_READS && c->rf[m] != PREDICT_NONE)
			come_after(f, c->rf[m], e);
		if (f->kind == ROWS_HB && c->op[m] == OP_ACQ)
			after_releases(f, done, m, e);
	}
}

static void fill(struct filler *f)
{
	const struct predict_core *c = f->c;
	uint32_t *done = xcalloc(c->threads + 1, sizeof(*done));

	for (uint32_t i = 0; i < c->n; i++) {
		uint32_t e = c->by_trace[i], pos = predict_core_pos(c, e);

		assert(done[c->thread[e]] == pos); /* program order is trace order */
		f->fresh = false;
		f->r->row_of[e] = pos > 0 ? f->r->row_of[e - 1] : 0;
		if (predict_core_head(c, e) == e)
			fill_step(f, done, e);
		done[c->thread[e]] = pos + 1;
	}
	free(done);
}

struct predict_rows *predict_rows_new(const struct predict_core *c, enum predict_rows_kind kind)
{
	struct predict_rows *r = xcalloc(1, sizeof(*r));
	struct filler f = {r, c, kind, false};

	r->c = c;
	r->row_of = xmalloc((c->n + 1) * sizeof(*r->row_of));
	vec_reserve(&r->cells, c->threads + 1);
	memset(r->cells.items, 0, (c->threads + 1) * sizeof(*r->cells.items));
	r->cells.count = c->threads;
	fill(&f);
	return r;
}

void predict_rows_free(struct predict_rows *r)
{
	if (r == NULL)
		return;
	free(r->row_of);
	vec_free(&r->cells);
	free(r);
}

void predict_rows_join(const struct predict_rows *r, uint32_t e, uint32_t *cut)
{
	const uint32_t *row = predict_rows_cells(r, e);
	uint32_t own = r->c->thread[e];
	uint32_t count = predict_core_pos(r->c, predict_core_tail(r->c, e)) + 1;

	for (uint32_t i = 0; i < r->c->threads; i++)
		cut[i] = cut[i] > row[i] ? cut[i] : row[i];
	cut[own] = cut[own] > count ? cut[own] : count;
}

uint32_t predict_rows_before_at(const struct predict_rows *r, uint32_t e, uint32_t thread)
{
	const struct predict_core *c = r->c;
	uint32_t fork = c->t->fork_of[c->thread[e]];

	e = predict_core_head(c, e);
	if (predict_core_pos(c, e) > 0)
		return predict_rows_get(r, e - 1, thread);
	return fork != PREDICT_NONE ? predict_rows_get(r, c->of[fork], thread) : 0;
}
