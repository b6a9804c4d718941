#include "predict/find/race.h"

#include <stdlib.h>

#include "base/mem.h"

bool predict_race_overlap(const struct predict_event *a, const struct predict_event *b)
{
	return a->bytes == 0 || b->bytes == 0 ||
	       (a->addr < b->addr + b->bytes && b->addr < a->addr + a->bytes);
}

static bool conflict(const struct predict_event *a, const struct predict_event *b)
{
	return predict_race_overlap(a, b) && a->thread != b->thread && a->object == b->object &&
	       (predict_op_writes(a->op) || predict_op_writes(b->op)) &&
	       !(a->flags & b->flags & PREDICT_ATOMIC);
}

static uint32_t set_at(const struct predict_trace *t, uint32_t e)
{
	return t->lists.items[t->held[e]].set;
}

bool predict_race_is_candidate(const struct predict_trace *t, uint32_t a, uint32_t b)
{
	const struct predict_event *x = &t->events.items[a], *y = &t->events.items[b];

	return predict_op_accesses(x->op) && predict_op_accesses(y->op) && conflict(x, y) &&
	       predict_trace_sets_disjoint(t, set_at(t, a), set_at(t, b));
}

/* ---- counting ---- */

/* Accesses of one location that behave alike in the filter. */
struct class
{
	uint32_t event; /* one of them */
	uint64_t count;
};

static bool alike(const struct predict_trace *t, uint32_t a, uint32_t b)
{
	const struct predict_event *x = &t->events.items[a], *y = &t->events.items[b];

	return x->thread == y->thread && x->flags == y->flags && x->addr == y->addr &&
	       x->bytes == y->bytes && set_at(t, a) == set_at(t, b) &&
	       predict_op_writes(x->op) == predict_op_writes(y->op);
}

static uint64_t count_location(const struct predict_core *c, uint32_t loc)
{
	const struct predict_index *x = &c->accesses;
	VEC(struct class) classes = VEC_INIT;
	uint64_t sum = 0;

	for (uint32_t g = x->first[loc]; g < x->first[loc + 1]; g++) {
		size_t from = classes.count;

		for (uint32_t i = x->groups[g].begin; i < x->groups[g].end; i++) {
			uint32_t e = c->ev[x->items[i]];
			size_t at = from;

			while (at < classes.count && !alike(c->t, classes.items[at].event, e))
				at++;
			if (at == classes.count)
				vec_push(&classes, ((struct class){e, 0}));
			classes.items[at].count++;
		}
	}
	for (size_t i = 0; i < classes.count; i++) {
		for (size_t j = 0; j < i; j++) {
			if (predict_race_is_candidate(c->t, classes.items[i].event,
						      classes.items[j].event))
				sum += classes.items[i].count * classes.items[j].count;
		}
	}
	vec_free(&classes);
	return sum;
}

uint64_t predict_race_count(const struct predict_core *c)
{
	uint32_t locs = predict_names_count(&c->t->locs);
	uint64_t sum = 0;

	for (uint32_t loc = 0; loc < locs; loc++) {
		if (c->accesses.first[loc + 1] - c->accesses.first[loc] > 1)
			sum += count_location(c, loc);
	}
	return sum;
}

/* ---- listing ---- */

static int by_distance(const void *p, const void *q)
{
	const struct predict_race *x = p, *y = q;
	uint32_t dx = x->b - x->a, dy = y->b - y->a;

	if (dx != dy)
		return dx < dy ? -1 : 1;
	if (x->a != y->a)
		return x->a < y->a ? -1 : 1;
	return x->b < y->b ? -1 : x->b > y->b;
}

static void add_pair(const struct predict_core *c, uint32_t a, uint32_t b, size_t limit,
		     struct predict_races *out)
{
	uint32_t x = c->ev[a], y = c->ev[b];

	if (!predict_race_is_candidate(c->t, x, y))
		return;
	if (out->count < limit)
		vec_push(out, ((struct predict_race){x < y ? x : y, x < y ? y : x}));
	else
		out->left_out++;
}

/* Partners of a in group g that rows leave unordered: a range, found by two searches. */
static void pair_with(const struct predict_core *c, const struct predict_rows *rows, uint32_t a,
		      const struct predict_group *g, size_t limit, struct predict_races *out)
{
	const uint32_t *items = c->accesses.items;
	uint32_t low = g->begin, end = g->end;
	uint32_t done = rows != NULL ? predict_rows_before_at(rows, a, g->thread) : 0;

	while (low < end) { /* first partner that is not done before a can be pending */
		uint32_t middle = low + (end - low) / 2;

		if (predict_core_pos(c, items[middle]) < done)
			low = middle + 1;
		else
			end = middle;
	}
	for (; low < g->end; low++) {
		if (rows != NULL &&
		    predict_rows_before_at(rows, items[low], c->thread[a]) > predict_core_pos(c, a))
			break;
		add_pair(c, a, items[low], limit, out);
	}
}

void predict_race_list(const struct predict_core *c, const struct predict_rows *rows, uint32_t loc,
		       size_t limit, struct predict_races *out)
{
	const struct predict_index *x = &c->accesses;

	vec_clear(out);
	out->left_out = 0;
	for (uint32_t g = x->first[loc]; g < x->first[loc + 1]; g++) {
		for (uint32_t i = x->groups[g].begin; i < x->groups[g].end; i++) {
			for (uint32_t h = g + 1; h < x->first[loc + 1]; h++)
				pair_with(c, rows, x->items[i], &x->groups[h], limit, out);
		}
	}
	if (out->count > 1)
		qsort(out->items, out->count, sizeof(*out->items), by_distance);
}
