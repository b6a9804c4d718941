#include "predict/read/facts.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/lookup.h"
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

/* Codes of locks, ascending. */
struct lockset {
	const uint32_t *codes;
	uint32_t count;
};

static bool is_same(const void *items, uint32_t number, const void *key)
{
	const struct predict_trace *t = items;
	const struct lockset *wanted = key;
	uint32_t at = t->set_start.items[number];

	return t->set_start.items[number + 1] - at == wanted->count &&
	       memcmp(t->set_codes.items + at, wanted->codes,
		      wanted->count * sizeof(*wanted->codes)) == 0;
}

/* Number of the lockset with these codes (at least one). */
static uint32_t set_intern(struct predict_trace *t, struct lookup *sets, const uint32_t *codes,
			   uint32_t count)
{
	const struct lockset wanted = {codes, count};
	uint64_t h = lookup_hash(codes, count * sizeof(*codes));
	uint32_t number = lookup_find(sets, h, is_same, t, &wanted);

	assert(count > 0);
	if (number != LOOKUP_NONE)
		return number;
	number = (uint32_t)t->set_start.count - 1;
	for (uint32_t i = 0; i < count; i++)
		vec_push(&t->set_codes, codes[i]);
	vec_push(&t->set_start, (uint32_t)t->set_codes.count);
	lookup_add(sets, h, number);
	return number;
}

static uint32_t list_push(struct predict_trace *t, struct lookup *sets, uint32_t acq,
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
	set_id = set_intern(t, sets, codes.items, (uint32_t)codes.count);
	vec_free(&codes);
	vec_push(&t->lists, ((struct predict_held){acq, next, set_id}));
	return (uint32_t)t->lists.count - 1;
}

/* The list without the section opened by acq; what was opened after it is copied. */
static uint32_t list_remove(struct predict_trace *t, struct lookup *sets, uint32_t list,
			    uint32_t acq)
{
	assert(list != 0);
	if (t->lists.items[list].acq == acq)
		return t->lists.items[list].next;
	return list_push(t, sets, t->lists.items[list].acq,
			 list_remove(t, sets, t->lists.items[list].next, acq));
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
	struct lookup sets = {NULL, 0, 0};
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
			now[ev->thread] = list_push(t, &sets, e, now[ev->thread]);
		} else if (ev->op == OP_REL) {
			acq = list_find(t, now[ev->thread], ev->object);
			assert(acq != PREDICT_NONE);
			t->match[e] = acq;
			t->match[acq] = e;
			now[ev->thread] = list_remove(t, &sets, now[ev->thread], acq);
		}
	}
	lookup_fini(&sets);
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

/* Glue needs the event before to be of the same thread; otherwise there was something between. */
static bool glued(const struct predict_trace *t, uint32_t e)
{
	return e > 0 && t->events.items[e].flags & PREDICT_GLUED &&
	       t->events.items[e - 1].thread == t->events.items[e].thread;
}

static void derive_steps(struct predict_trace *t)
{
	uint32_t n = (uint32_t)t->events.count;
	bool any = false;

	for (uint32_t e = 0; e < n; e++)
		any |= glued(t, e);
	if (!any)
		return;
	t->head = xmalloc((n + 1) * sizeof(*t->head));
	t->tail = xmalloc((n + 1) * sizeof(*t->tail));
	for (uint32_t e = 0; e < n; e++)
		t->head[e] = glued(t, e) ? t->head[e - 1] : e;
	for (uint32_t e = n; e-- > 0;)
		t->tail[e] = e + 1 < n && glued(t, e + 1) ? t->tail[e + 1] : e;
}

void predict_facts_derive(struct predict_trace *t)
{
	derive_order(t);
	derive_steps(t);
	if (t->has_branches && !t->branches_known)
		derive_branches(t);
	derive_rf(t);
	derive_locks(t);
}
