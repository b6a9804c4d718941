/* Enumeration of the alternatives that the closure has left undecided. */
#include <assert.h>

#include "predict/order/predict_priv.h"

struct opener {
	const struct predict_graph *g;
	predict_poly_fn visit;
	void *context;
	bool stop;
};

/* Hands out <u1 -> v1 | u2 -> v2> with the option that agrees with the trace first. */
static void offer(struct opener *o, struct predict_poly p, bool first_is_trace)
{
	if (!first_is_trace)
		p = (struct predict_poly){p.u2, p.v2, p.u1, p.v1};
	if (!o->visit(o->context, &p))
		o->stop = true;
}

static bool released_before(const struct predict_graph *g, uint32_t acq1, uint32_t acq2)
{
	uint32_t rel = g->c->match[acq1];

	assert(g->c->op[acq1] == OP_ACQ && g->c->object[acq1] == g->c->object[acq2]);
	return rel != PREDICT_NONE && graph_reaches(g, rel, acq2);
}

/* Sections of group b that are neither known before nor known after section a. */
static void open_sections_of(struct opener *o, uint32_t a, const struct predict_group *b)
{
	const struct predict_graph *g = o->g;
	const struct predict_core *c = g->c;
	const uint32_t *items = c->sections.items;
	uint32_t low = b->begin, high = b->end;

	while (low < high) { /* first one not released before a */
		uint32_t middle = low + (high - low) / 2;

		if (released_before(g, items[middle], a))
			low = middle + 1;
		else
			high = middle;
	}
	for (; low < b->end && !o->stop && graph_active(g, items[low]); low++) {
		uint32_t other = items[low];

		if (released_before(g, a, other))
			break;
		if (c->shared[a] && c->shared[other])
			continue;
		offer(o, (struct predict_poly){c->match[a], other, c->match[other], a},
		      c->ev[a] < c->ev[other]);
	}
}

static void open_locks(struct opener *o)
{
	const struct predict_graph *g = o->g;
	const struct predict_index *x = &g->c->sections;
	uint32_t locks = predict_names_count(&g->c->t->locks);

	for (uint32_t lock = 0; lock < locks; lock++) {
		for (uint32_t i = x->first[lock]; i < x->first[lock + 1] && !o->stop; i++) {
			const struct predict_group *a = &x->groups[i];

			for (uint32_t s = a->begin; s < a->end && graph_active(g, x->items[s]);
			     s++) {
				for (uint32_t j = i + 1; j < x->first[lock + 1] && !o->stop; j++)
					open_sections_of(o, x->items[s], &x->groups[j]);
			}
		}
	}
}

static void open_writes_of(struct opener *o, uint32_t r, const struct predict_group *group)
{
	const struct predict_graph *g = o->g;
	const struct predict_core *c = g->c;
	const uint32_t *items = c->writes.items;
	uint32_t w = c->rf[r], low = group->begin, high = group->end;

	assert(graph_active(g, r) && graph_active(g, w) && c->object[w] == c->object[r]);
	while (low < high) { /* first one not known to be before w */
		uint32_t middle = low + (high - low) / 2;

		if (graph_active(g, items[middle]) && graph_reaches(g, items[middle], w))
			low = middle + 1;
		else
			high = middle;
	}
	for (; low < group->end && !o->stop && graph_active(g, items[low]); low++) {
		uint32_t other = items[low];

		if (other == w || other == r)
			continue;
		if (graph_reaches(g, r, other))
			break;
		offer(o, (struct predict_poly){other, w, r, other}, c->ev[other] < c->ev[w]);
	}
}

static void open_reads(struct opener *o, uint32_t thread)
{
	const struct predict_graph *g = o->g;
	const struct predict_core *c = g->c;
	const struct predict_index *x = &c->writes;

	for (uint32_t r = c->start[thread]; r < c->start[thread] + g->need[thread] && !o->stop;
	     r++) {
		if (!predict_op_reads(c->op[r]) || c->rf[r] == PREDICT_NONE)
			continue;
		for (uint32_t i = x->first[c->object[r]];
		     i < x->first[c->object[r] + 1] && !o->stop; i++)
			open_writes_of(o, r, &x->groups[i]);
	}
}

void predict_graph_open(const struct predict_graph *g, predict_poly_fn visit, void *context)
{
	struct opener o = {g, visit, context, false};

	open_locks(&o);
	for (uint32_t i = 0; i < g->k && !o.stop && g->model != MODEL_CSR; i++)
		open_reads(&o, i);
}
