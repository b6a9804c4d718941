#include "predict/order/cp.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

struct cp_edge {
	uint32_t rel;
	uint32_t next; /* index + 1 */
};

/* Last sections of a thread on a lock that read or wrote a location. */
struct cp_use {
	uint32_t thread;
	uint32_t read_acq, write_acq;
	uint32_t next; /* index + 1 */
};

struct predict_cp {
	const struct predict_core *c;
	const struct predict_rows *hb;
	uint32_t *row_of;
	VEC(uint32_t) cells;
	uint32_t *edge_of; /* by acquisition: first edge + 1 */
	VEC(struct cp_edge) edges;
};

/* ---- rule (a) ---- */

/* (lock, location) -> list of uses; open addressing. */
struct cp_table {
	uint64_t *keys; /* key + 1, 0 = empty */
	uint32_t *heads;
	size_t size, used;
	VEC(struct cp_use) uses;
};

static size_t table_slot(const struct cp_table *t, uint64_t key)
{
	size_t i = ((key + 1) * UINT64_C(0x9e3779b97f4a7c15) >> 20) & (t->size - 1);

	while (t->keys[i] != 0 && t->keys[i] != key + 1)
		i = (i + 1) & (t->size - 1);
	return i;
}

static void table_grow(struct cp_table *t)
{
	struct cp_table old = *t;

	t->size = old.size ? old.size * 2 : 1024;
	t->keys = xcalloc(t->size, sizeof(*t->keys));
	t->heads = xcalloc(t->size, sizeof(*t->heads));
	for (size_t i = 0; i < old.size; i++) {
		if (old.keys[i] != 0) {
			size_t slot = table_slot(t, old.keys[i] - 1);

			t->keys[slot] = old.keys[i];
			t->heads[slot] = old.heads[i];
		}
	}
	free(old.keys);
	free(old.heads);
}

static uint32_t *table_head(struct cp_table *t, uint32_t lock, uint32_t loc)
{
	uint64_t key = (uint64_t)lock << 32 | loc;
	size_t slot;

	if ((t->used + 1) * 2 > t->size)
		table_grow(t);
	slot = table_slot(t, key);
	if (t->keys[slot] == 0) {
		t->keys[slot] = key + 1;
		t->used++;
	}
	return &t->heads[slot];
}

static void add_edge(struct predict_cp *cp, uint32_t rel, uint32_t acq)
{
	const struct predict_core *c = cp->c;

	if (rel == PREDICT_NONE)
		return;
	for (uint32_t i = cp->edge_of[acq]; i != 0; i = cp->edges.items[i - 1].next) {
		uint32_t have = cp->edges.items[i - 1].rel;

		if (c->thread[have] == c->thread[rel] && have >= rel)
			return;
	}
	vec_push(&cp->edges, ((struct cp_edge){rel, cp->edge_of[acq]}));
	cp->edge_of[acq] = (uint32_t)cp->edges.count;
}

static void conflict_edge(struct predict_cp *cp, uint32_t acq1, uint32_t acq2)
{
	if (acq1 != PREDICT_NONE && !(cp->c->shared[acq1] && cp->c->shared[acq2]))
		add_edge(cp, cp->c->match[acq1], acq2);
}

/* Event e accesses its location inside the section opened by acq. */
static void note_access(struct predict_cp *cp, struct cp_table *t, uint32_t e, uint32_t acq)
{
	const struct predict_core *c = cp->c;
	uint32_t *head = table_head(t, c->object[acq], c->object[e]);
	struct cp_use *own = NULL;
	bool writes = predict_op_writes(c->op[e]);

	for (uint32_t i = *head; i != 0; i = t->uses.items[i - 1].next) {
		struct cp_use *u = &t->uses.items[i - 1];

		if (u->thread == c->thread[e]) {
			own = u;
			continue;
		}
		conflict_edge(cp, u->write_acq, acq);
		if (writes)
			conflict_edge(cp, u->read_acq, acq);
	}
	if (own == NULL) {
		vec_push(&t->uses,
			 ((struct cp_use){c->thread[e], PREDICT_NONE, PREDICT_NONE, *head}));
		*head = (uint32_t)t->uses.count;
		own = &vec_last(&t->uses);
	}
	if (predict_op_reads(c->op[e]))
		own->read_acq = acq;
	if (writes)
		own->write_acq = acq;
}

static void rule_a(struct predict_cp *cp)
{
	const struct predict_core *c = cp->c;
	const struct predict_trace *t = c->t;
	struct cp_table table = {NULL, NULL, 0, 0, VEC_INIT};

	for (uint32_t i = 0; i < c->n; i++) {
		uint32_t e = c->by_trace[i], list = t->held[c->ev[e]];

		if (!predict_core_is_access(c, e))
			continue;
		for (; list != 0; list = t->lists.items[list].next) {
			uint32_t acq = c->of[t->lists.items[list].acq];

			if (acq != PREDICT_NONE)
				note_access(cp, &table, e, acq);
		}
	}
	free(table.keys);
	free(table.heads);
	vec_free(&table.uses);
}

/* ---- rows ---- */

struct pass {
	struct predict_cp *cp;
	uint32_t *done; /* by thread */
	bool fresh;
};

static const uint32_t *cells_of(const struct predict_cp *cp, uint32_t e)
{
	return cp->cells.items + (size_t)cp->row_of[e] * cp->c->threads;
}

static void join_cells(struct pass *p, uint32_t e, const uint32_t *from)
{
	struct predict_cp *cp = p->cp;
	uint32_t k = cp->c->threads, i;
	const uint32_t *have = cells_of(cp, e);
	uint32_t *to;

	for (i = 0; i < k && from[i] <= have[i]; i++)
		;
	if (i == k)
		return;
	if (!p->fresh) {
		size_t count = cp->cells.count;
		ptrdiff_t offset = from - cp->cells.items;
		bool inside = offset >= 0 && (size_t)offset < count;

		vec_reserve(&cp->cells, count + k);
		if (inside)
			from = cp->cells.items + offset;
		memcpy(cp->cells.items + count, cells_of(cp, e), k * sizeof(uint32_t));
		cp->cells.count += k;
		cp->row_of[e] = (uint32_t)(count / k);
		p->fresh = true;
	}
	to = cp->cells.items + (size_t)cp->row_of[e] * k;
	for (i = 0; i < k; i++)
		to[i] = to[i] > from[i] ? to[i] : from[i];
}

/* u happens before e; with cp, also causally: then all that happens before u does. */
static void come_after(struct pass *p, uint32_t u, uint32_t e, bool causal, uint32_t *scratch)
{
	join_cells(p, e, cells_of(p->cp, u));
	if (causal) {
		memset(scratch, 0, p->cp->c->threads * sizeof(*scratch));
		predict_rows_join(p->cp->hb, u, scratch);
		join_cells(p, e, scratch);
	}
}

static void after_releases(struct pass *p, uint32_t e, uint32_t *scratch)
{
	const struct predict_core *c = p->cp->c;
	const struct predict_index *x = c->shared[e] ? &c->exclusives : &c->sections;

	for (uint32_t i = x->first[c->object[e]]; i < x->first[c->object[e] + 1]; i++) {
		const struct predict_group *g = &x->groups[i];
		uint32_t acq = predict_core_last_below(c, x, g, p->done[g->thread]);

		if (acq != PREDICT_NONE && g->thread != c->thread[e] &&
		    c->match[acq] != PREDICT_NONE)
			come_after(p, c->match[acq], e, false, scratch);
	}
	for (uint32_t i = p->cp->edge_of[e]; i != 0; i = p->cp->edges.items[i - 1].next)
		come_after(p, p->cp->edges.items[i - 1].rel, e, true, scratch);
}

static void fill_rows(struct predict_cp *cp)
{
	const struct predict_core *c = cp->c;
	struct pass p = {cp, xcalloc(c->threads + 1, sizeof(uint32_t)), false};
	uint32_t *scratch = xcalloc(c->threads + 1, sizeof(*scratch));

	cp->cells.count = c->threads; /* row 0 stays all zero */
	for (uint32_t i = 0; i < c->n; i++) {
		uint32_t e = c->by_trace[i], pos = predict_core_pos(c, e);

		p.fresh = false;
		cp->row_of[e] = pos > 0 ? cp->row_of[e - 1] : 0;
		for (uint32_t j = c->pred_first[e]; j < c->pred_first[e + 1]; j++)
			come_after(&p, c->pred[j], e, c->thread[c->pred[j]] != c->thread[e],
				   scratch);
		if (c->op[e] == OP_ACQ)
			after_releases(&p, e, scratch);
		p.done[c->thread[e]] = pos + 1;
	}
	free(scratch);
	free(p.done);
}

/* Rule (b) for the section opened by acq; true when it gave a new edge. */
static bool rule_b_of(struct predict_cp *cp, uint32_t acq)
{
	const struct predict_core *c = cp->c;
	const struct predict_index *x = c->shared[acq] ? &c->exclusives : &c->sections;
	uint32_t end =
		c->match[acq] != PREDICT_NONE ? c->match[acq] : c->start[c->thread[acq] + 1] - 1;
	bool changed = false;

	for (uint32_t i = x->first[c->object[acq]]; i < x->first[c->object[acq] + 1]; i++) {
		const struct predict_group *g = &x->groups[i];
		uint32_t first = predict_core_last_below(c, x, g, cells_of(cp, end)[g->thread]);
		size_t before = cp->edges.count;

		if (first == PREDICT_NONE || g->thread == c->thread[acq] ||
		    c->match[first] == PREDICT_NONE || c->ev[first] > c->ev[acq] ||
		    cells_of(cp, acq)[g->thread] > predict_core_pos(c, c->match[first]))
			continue;
		add_edge(cp, c->match[first], acq);
		changed |= cp->edges.count > before;
	}
	return changed;
}

static bool rule_b(struct predict_cp *cp)
{
	bool changed = false;

	for (uint32_t e = 0; e < cp->c->n; e++) {
		if (cp->c->op[e] == OP_ACQ)
			changed |= rule_b_of(cp, e);
	}
	return changed;
}

struct predict_cp *predict_cp_new(const struct predict_core *c, const struct predict_rows *hb)
{
	struct predict_cp *cp = xcalloc(1, sizeof(*cp));

	cp->c = c;
	cp->hb = hb;
	cp->row_of = xcalloc(c->n + 1, sizeof(*cp->row_of));
	cp->edge_of = xcalloc(c->n + 1, sizeof(*cp->edge_of));
	vec_reserve(&cp->cells, c->threads + 1);
	memset(cp->cells.items, 0, (c->threads + 1) * sizeof(*cp->cells.items));
	rule_a(cp);
	do
		fill_rows(cp);
	while (rule_b(cp));
	return cp;
}

void predict_cp_free(struct predict_cp *cp)
{
	if (cp == NULL)
		return;
	free(cp->row_of);
	free(cp->edge_of);
	vec_free(&cp->cells);
	vec_free(&cp->edges);
	free(cp);
}

bool predict_cp_before(const struct predict_cp *cp, uint32_t a, uint32_t b)
{
	return cells_of(cp, b)[cp->c->thread[a]] > predict_core_pos(cp->c, a);
}
