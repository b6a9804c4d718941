#include "predict/order/linear.h"

#include <assert.h>
#include <stdlib.h>

#include "base/mem.h"

struct runner {
	struct predict_graph *g;
	const struct predict_core *c;
	struct predict_linear *l;
	uint32_t *done;	    /* by thread: executed core events */
	uint32_t *wait_for; /* by thread: what its next event was last seen waiting for */
	uint32_t *wait_count;
	uint32_t *last; /* by location: last executed write */
	uint64_t edges; /* of the graph when it was last looked at */
};

static bool ready(struct runner *r, uint32_t thread)
{
	uint32_t e = r->c->start[thread] + r->done[thread];

	assert(r->done[thread] < predict_graph_cut(r->g, thread));
	if (r->wait_for[thread] != PREDICT_NONE &&
	    r->done[r->wait_for[thread]] < r->wait_count[thread])
		return false;
	for (uint32_t i = 0; i < r->c->threads; i++) {
		uint32_t count = predict_graph_row(r->g, e, i);

		if (i != thread && count > r->done[i]) {
			r->wait_for[thread] = i;
			r->wait_count[thread] = count;
			return false;
		}
	}
	r->wait_for[thread] = PREDICT_NONE;
	return true;
}

/* The ready event that comes first: other threads before late ones, then trace order. */
static uint32_t choose(struct runner *r)
{
	uint32_t best = PREDICT_NONE, best_late = 2;

	for (uint32_t i = 0; i < r->c->threads; i++) {
		uint32_t e = r->c->start[i] + r->done[i];
		uint32_t late = r->l->late != NULL && r->l->late[i];

		if (r->done[i] == predict_graph_cut(r->g, i) || late > best_late)
			continue;
		if (best != PREDICT_NONE && late == best_late && r->c->ev[e] > r->c->ev[best])
			continue;
		if (ready(r, i)) {
			best = e;
			best_late = late;
		}
	}
	return best;
}

static void decide_edge(struct runner *r, uint32_t u, uint32_t v)
{
	if (predict_graph_conflict(r->g))
		return;
	if (u == PREDICT_NONE || !predict_graph_reaches(r->g, u, v)) {
		r->l->decided++;
		predict_graph_require(r->g, u, v);
	}
}

/* Next active event of the group that is not executed yet. */
static uint32_t next_of(const struct runner *r, const struct predict_index *x,
			const struct predict_group *g)
{
	uint32_t e = predict_core_first_from(r->c, x, g, r->done[g->thread]);

	if (e == PREDICT_NONE || predict_core_pos(r->c, e) >= predict_graph_cut(r->g, g->thread))
		return PREDICT_NONE;
	return e;
}

/* Taking the lock now puts every section not yet entered after this one. */
static void decide_acq(struct runner *r, uint32_t e)
{
	const struct predict_core *c = r->c;
	const struct predict_index *x = c->shared[e] ? &c->exclusives : &c->sections;
	uint32_t lock = c->object[e];

	assert(c->op[e] == OP_ACQ);
	for (uint32_t i = x->first[lock]; i < x->first[lock + 1]; i++) {
		const struct predict_group *g = &x->groups[i];
		uint32_t next = next_of(r, x, g);

		if (g->thread != c->thread[e] && next != PREDICT_NONE)
			decide_edge(r, c->match[e], next);
	}
}

/* Writing now: readers of the present value go first, other writes with readers come later. */
static void decide_write(struct runner *r, uint32_t e)
{
	const struct predict_core *c = r->c;
	uint32_t loc = c->object[e], last = r->last[loc];
	const struct predict_index *x = &c->readers;

	assert(predict_op_writes(c->op[e]) && (last == PREDICT_NONE || c->object[last] == loc));
	for (uint32_t i = last == PREDICT_NONE ? 0 : x->first[last];
	     last != PREDICT_NONE && i < x->first[last + 1]; i++) {
		const struct predict_group *g = &x->groups[i];
		uint32_t need = predict_graph_need(r->g, g->thread);
		uint32_t reader = predict_core_last_below(c, x, g, need);

		if (reader != PREDICT_NONE && reader != e &&
		    predict_core_pos(c, reader) >= r->done[g->thread])
			decide_edge(r, reader, e);
	}
	x = &c->writes;
	for (uint32_t i = x->first[loc]; i < x->first[loc + 1]; i++) {
		const struct predict_group *g = &x->groups[i];
		uint32_t next = next_of(r, x, g);

		if (next != PREDICT_NONE && g->thread != c->thread[e] &&
		    c->readers.first[next] < c->readers.first[next + 1])
			decide_edge(r, e, next);
	}
}

/* What has been executed must still be closed downwards after new edges. */
static bool still_closed(const struct runner *r)
{
	for (uint32_t i = 0; i < r->c->threads; i++) {
		if (r->done[i] == 0)
			continue;
		for (uint32_t j = 0; j < r->c->threads; j++) {
			if (predict_graph_row(r->g, r->c->start[i] + r->done[i] - 1, j) >
			    r->done[j])
				return false;
		}
	}
	return true;
}

/* Commits to executing the step that begins with e now; *again when the new edges have put
 * something before it. */
static bool commit(struct runner *r, uint32_t e, bool *again)
{
	uint64_t before = predict_graph_edges(r->g);

	*again = false;
	for (uint32_t m = e; m <= predict_core_tail(r->c, e); m++) {
		if (r->c->op[m] == OP_ACQ)
			decide_acq(r, m);
		else if (predict_op_writes(r->c->op[m]))
			decide_write(r, m);
	}
	if (predict_graph_edges(r->g) == before && !predict_graph_conflict(r->g))
		return true;
	if (!predict_graph_propagate(r->g) || !still_closed(r))
		return false;
	for (uint32_t i = 0; i < r->c->threads; i++)
		r->wait_for[i] = PREDICT_NONE;
	*again = !ready(r, r->c->thread[e]);
	return true;
}

static bool finished(const struct runner *r)
{
	for (uint32_t i = 0; i < r->c->threads; i++) {
		if (r->done[i] < predict_graph_cut(r->g, i))
			return false;
	}
	return true;
}

static bool run(struct runner *r)
{
	uint32_t e;
	bool again;

	while ((e = choose(r)) != PREDICT_NONE) {
		if (!commit(r, e, &again))
			return false;
		if (again)
			continue;
		for (uint32_t m = e; m <= predict_core_tail(r->c, e); m++) {
			/* A step is executed as a whole, and a thread in its own order. */
			assert(predict_core_pos(r->c, m) == r->done[r->c->thread[m]]);
			vec_push(&r->l->order, m);
			r->done[r->c->thread[m]]++;
			if (predict_op_writes(r->c->op[m]))
				r->last[r->c->object[m]] = m;
		}
	}
	return finished(r);
}

bool predict_linear_run(struct predict_graph *g, struct predict_linear *l)
{
	const struct predict_core *c = predict_graph_core(g);
	uint32_t locs = predict_names_count(&c->t->locs);
	struct runner r = {.g = g, .c = c, .l = l};
	bool found;

	assert(!predict_graph_conflict(g));
	vec_clear(&l->order);
	l->decided = 0;
	r.done = xcalloc(c->threads + 1, sizeof(*r.done));
	r.wait_for = xmalloc((c->threads + 1) * sizeof(*r.wait_for));
	r.wait_count = xcalloc(c->threads + 1, sizeof(*r.wait_count));
	r.last = xmalloc((locs + 1) * sizeof(*r.last));
	for (uint32_t i = 0; i < c->threads; i++)
		r.wait_for[i] = PREDICT_NONE;
	for (uint32_t i = 0; i < locs; i++)
		r.last[i] = PREDICT_NONE;
	found = run(&r);
	free(r.done);
	free(r.wait_for);
	free(r.wait_count);
	free(r.last);
	return found;
}

static void emit_until(const struct predict_trace *t, uint32_t *emitted, uint32_t thread,
		       uint32_t count, struct predict_order *out)
{
	for (; emitted[thread] < count; emitted[thread]++)
		vec_push(out, t->order[t->start[thread] + emitted[thread]]);
}

void predict_linear_expand(const struct predict_core *c, const struct predict_question *q,
			   const uint32_t *order, size_t n, struct predict_order *out)
{
	const struct predict_trace *t = c->t;
	uint32_t *emitted = xcalloc(c->threads + 1, sizeof(*emitted));

	for (size_t i = 0; i < n; i++)
		emit_until(t, emitted, c->thread[order[i]],
			   t->pos[predict_trace_tail(t, c->ev[order[i]])] + 1, out);
	for (size_t i = 0; i < q->required.count; i++) {
		uint32_t e = q->required.items[i];

		emit_until(t, emitted, t->events.items[e].thread,
			   t->pos[predict_trace_tail(t, e)] + 1, out);
	}
	for (size_t i = 0; i < q->targets.count; i++) {
		uint32_t e = q->targets.items[i];

		emit_until(t, emitted, t->events.items[e].thread, t->pos[predict_trace_head(t, e)],
			   out);
	}
	free(emitted);
}
