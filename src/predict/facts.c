#include "predict/facts.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

static void derive_order(struct predict_trace *t)
{
	uint32_t n = (uint32_t)t->events.count, threads = t->thread_count;

	t->start = xcalloc(threads + 2, sizeof(*t->start));
	t->order = xmalloc((n + 1) * sizeof(*t->order));
	t->pos = xmalloc((n + 1) * sizeof(*t->pos));
	for (uint32_t e = 0; e < n; e++)
		t->pos[e] = t->start[t->events.items[e].thread + 1]++;
	for (uint32_t i = 0; i < threads; i++)
		t->start[i + 1] += t->start[i];
	for (uint32_t e = 0; e < n; e++)
		t->order[t->start[t->events.items[e].thread] + t->pos[e]] = e;
}

static void derive_rf(struct predict_trace *t)
{
	uint32_t n = (uint32_t)t->events.count, locs = predict_names_count(&t->locs);
	uint32_t *last = xmalloc((locs + 1) * sizeof(*last));

	t->rf = xmalloc((n + 1) * sizeof(*t->rf));
	for (uint32_t l = 0; l < locs; l++)
		last[l] = PREDICT_NONE;
	for (uint32_t e = 0; e < n; e++) {
		const struct predict_event *ev = &t->events.items[e];

		t->rf[e] = predict_op_reads(ev->op) ? last[ev->object] : PREDICT_NONE;
		if (predict_op_writes(ev->op))
			last[ev->object] = e;
	}
	free(last);
}

/* Locksets by content: open addressing over set number + 1. */
struct set_table {
	uint32_t *slots;
	size_t size;
};

static size_t set_slot(const struct predict_trace *t, const struct set_table *table,
		       const uint32_t *codes, uint32_t count)
{
	uint64_t h = count * UINT64_C(0x9e3779b97f4a7c15);
	size_t i;

	for (uint32_t c = 0; c < count; c++)
		h = (h ^ codes[c]) * UINT64_C(0xff51afd7ed558ccd);
	for (i = (h ^ (h >> 31)) & (table->size - 1); table->slots[i] != 0;
	     i = (i + 1) & (table->size - 1)) {
		uint32_t s = table->slots[i] - 1, at = t->set_start.items[s];

		if (t->set_start.items[s + 1] - at == count &&
		    memcmp(t->set_codes.items + at, codes, count * sizeof(*codes)) == 0)
			break;
	}
	return i;
}

static void set_table_grow(const struct predict_trace *t, struct set_table *table)
{
	uint32_t sets = (uint32_t)t->set_start.count - 1;

	free(table->slots);
	table->size = table->size ? table->size * 2 : 64;
	table->slots = xcalloc(table->size, sizeof(*table->slots));
	for (uint32_t s = 1; s < sets; s++) {
		uint32_t at = t->set_start.items[s];

		table->slots[set_slot(t, table, t->set_codes.items + at,
				      t->set_start.items[s + 1] - at)] = s + 1;
	}
}

/* Number of the lockset with these codes (ascending, at least one). */
static uint32_t set_intern(struct predict_trace *t, struct set_table *table, const uint32_t *codes,
			   uint32_t count)
{
	uint32_t sets = (uint32_t)t->set_start.count - 1;
	size_t slot;

	assert(count > 0);
	if ((sets + 1) * 2 > table->size)
		set_table_grow(t, table);
	slot = set_slot(t, table, codes, count);
	if (table->slots[slot] != 0)
		return table->slots[slot] - 1;
	for (uint32_t i = 0; i < count; i++)
		vec_push(&t->set_codes, codes[i]);
	vec_push(&t->set_start, (uint32_t)t->set_codes.count);
	table->slots[slot] = sets + 1;
	return sets;
}

static uint32_t list_push(struct predict_trace *t, struct set_table *table, uint32_t acq,
			  uint32_t next)
{
	const struct predict_event *ev = &t->events.items[acq];
	uint32_t code = ev->object * 2 + (ev->flags & PREDICT_SHARED ? 1 : 0);
	VEC(uint32_t) codes = VEC_INIT;
	uint32_t set = t->lists.items[next].set, at = 0, set_id;
	const uint32_t from = t->set_start.items[set], to = t->set_start.items[set + 1];

	for (uint32_t i = from; i < to; i++) {
		if (at == 0 && t->set_codes.items[i] > code) {
			vec_push(&codes, code);
			at = 1;
		}
		vec_push(&codes, t->set_codes.items[i]);
	}
	if (at == 0)
		vec_push(&codes, code);
	set_id = set_intern(t, table, codes.items, (uint32_t)codes.count);
	vec_free(&codes);
	vec_push(&t->lists, ((struct predict_held){acq, next, set_id}));
	return (uint32_t)t->lists.count - 1;
}

/* The list without the section opened by acq; what was opened after it is copied. */
static uint32_t list_remove(struct predict_trace *t, struct set_table *table, uint32_t list,
			    uint32_t acq)
{
	assert(list != 0);
	if (t->lists.items[list].acq == acq)
		return t->lists.items[list].next;
	return list_push(t, table, t->lists.items[list].acq,
			 list_remove(t, table, t->lists.items[list].next, acq));
}

static uint32_t list_find(const struct predict_trace *t, uint32_t list, uint32_t lock)
{
	while (list != 0 && t->events.items[t->lists.items[list].acq].object != lock)
		list = t->lists.items[list].next;
	return list != 0 ? t->lists.items[list].acq : PREDICT_NONE;
}

static void derive_locks(struct predict_trace *t)
{
	uint32_t n = (uint32_t)t->events.count;
	struct set_table table = {NULL, 0};
	uint32_t *now;

	t->held_end = xcalloc(t->thread_count + 1, sizeof(*t->held_end));
	t->match = xmalloc((n + 1) * sizeof(*t->match));
	t->held = xmalloc((n + 1) * sizeof(*t->held));
	now = t->held_end;
	for (uint32_t e = 0; e < n; e++) {
		const struct predict_event *ev = &t->events.items[e];
		uint32_t acq;

		t->match[e] = PREDICT_NONE;
		t->held[e] = now[ev->thread];
		if (ev->op == OP_ACQ) {
			now[ev->thread] = list_push(t, &table, e, now[ev->thread]);
		} else if (ev->op == OP_REL) {
			acq = list_find(t, now[ev->thread], ev->object);
			assert(acq != PREDICT_NONE);
			t->match[e] = acq;
			t->match[acq] = e;
			now[ev->thread] = list_remove(t, &table, now[ev->thread], acq);
		}
	}
	free(table.slots);
}

static void derive_branches(struct predict_trace *t)
{
	for (uint32_t i = 0; i < t->thread_count; i++) {
		uint32_t count = 0;

		for (uint32_t p = t->start[i]; p < t->start[i + 1]; p++) {
			struct predict_event *ev = &t->events.items[t->order[p]];

			ev->branches = count;
			count += ev->op == OP_BRANCH;
		}
	}
	t->branches_known = true;
}

void predict_facts_derive(struct predict_trace *t)
{
	derive_order(t);
	if (t->has_branches && !t->branches_known)
		derive_branches(t);
	derive_rf(t);
	derive_locks(t);
}
