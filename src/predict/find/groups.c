#include "predict/find/groups.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

static uint64_t mix(uint64_t h, uint64_t v)
{
	h = (h ^ v) * UINT64_C(0xff51afd7ed558ccd);
	return h ^ (h >> 32);
}

static struct predict_group_event key_of(const struct predict_trace *t, uint32_t e)
{
	const struct predict_event *ev = &t->events.items[e];
	bool known = ev->site != PREDICT_NONE;

	return (struct predict_group_event){known, known ? ev->site : ev->line, ev->op, ev->object};
}

/* A total order of keys; zero only for equal ones. */
static int compare(const struct predict_group_event *a, const struct predict_group_event *b)
{
	if (a->known != b->known)
		return a->known < b->known ? -1 : 1;
	if (a->place != b->place)
		return a->place < b->place ? -1 : 1;
	if (a->op != b->op)
		return a->op < b->op ? -1 : 1;
	return a->object < b->object ? -1 : a->object > b->object;
}

static uint64_t hash(const struct predict_groups *g, const struct predict_group_key *k)
{
	uint64_t h = mix(UINT64_C(0x9e3779b97f4a7c15), k->kind);

	for (size_t i = k->first; i < k->end; i++) {
		const struct predict_group_event *e = &g->keys.items[i];

		h = mix(mix(h, (uint64_t)e->known << 32 | e->place),
			(uint64_t)e->op << 32 | e->object);
	}
	return h;
}

static bool same(const struct predict_groups *g, const struct predict_group_key *a,
		 const struct predict_group_key *b)
{
	if (a->kind != b->kind || a->end - a->first != b->end - b->first)
		return false;
	for (size_t i = 0; i < a->end - a->first; i++) {
		if (compare(&g->keys.items[a->first + i], &g->keys.items[b->first + i]) != 0)
			return false;
	}
	return true;
}

static bool is_same(const void *items, uint32_t number, const void *key)
{
	const struct predict_groups *g = items;

	return same(g, &g->groups.items[number], key);
}

/* The key of these events at the end of keys, in the order that stands for the group. */
static struct predict_group_key push_key(struct predict_groups *g, const struct predict_trace *t,
					 enum predict_kind kind, const uint32_t *events, uint32_t n)
{
	struct predict_group_key k = {kind, g->keys.count, g->keys.count + n};
	struct predict_group_event *at;

	for (uint32_t i = 0; i < n; i++)
		vec_push(&g->keys, key_of(t, events[i]));
	at = g->keys.items + k.first;
	if (kind == KIND_RACE && n == 2 && compare(&at[0], &at[1]) > 0) {
		struct predict_group_event first = at[0];

		at[0] = at[1];
		at[1] = first;
	}
	return k;
}

uint32_t *predict_groups_find(struct predict_groups *g, const struct predict_trace *t,
			      enum predict_kind kind, const uint32_t *events, uint32_t n)
{
	struct predict_group_key k = push_key(g, t, kind, events, n);
	uint64_t h = hash(g, &k);
	uint32_t known = lookup_find(&g->by_key, h, is_same, g, &k);

	if (known != LOOKUP_NONE) {
		g->keys.count = k.first;
		return &g->values.items[known];
	}
	vec_push(&g->groups, k);
	vec_push(&g->values, PREDICT_NONE);
	assert(g->groups.count == g->values.count && g->groups.count < PREDICT_NONE);
	lookup_add(&g->by_key, h, (uint32_t)g->groups.count - 1);
	return &vec_last(&g->values);
}

void predict_groups_fini(struct predict_groups *g)
{
	vec_free(&g->keys);
	vec_free(&g->groups);
	vec_free(&g->values);
	lookup_fini(&g->by_key);
}
