#include "explore/published/complete.h"

#include <assert.h>

/* Whether the tuple at that place is the key at hand. */
static bool is_key(const void *items, uint32_t number, const void *key)
{
	const struct frontier *f = items;
	const uint32_t *t = f->tuples.items + number;

	assert(number + t[0] < f->tuples.count);
	return t[0] == f->key.count && (!t[0] || !memcmp(t + 1, key, t[0] * sizeof(*t)));
}

/* What is wanted as a tuple; what comes to the same has the same one. */
static void make_key(struct frontier *f, const struct wanted *w)
{
	uint32_t n = (uint32_t)w->frozen.count;

	while (n && !w->frozen.items[n - 1])
		n--;
	vec_clear(&f->key);
	for (uint32_t i = 0; i < n; i++)
		vec_push(&f->key, w->frozen.items[i]);
	for (uint32_t i = 0; i < w->steps.count; i++) {
		if (w->steps.items[i]) {
			vec_push(&f->key, STATE_NONE - i);
			vec_push(&f->key, w->steps.items[i]);
		}
	}
}

bool frontier_meet(struct frontier *f, const struct wanted *w)
{
	uint64_t hash;

	make_key(f, w);
	hash = lookup_hash(f->key.items, f->key.count * sizeof(*f->key.items));
	if (lookup_find(&f->met, hash, is_key, f, f->key.items) != LOOKUP_NONE)
		return false;
	lookup_add(&f->met, hash, (uint32_t)f->tuples.count);
	vec_push(&f->tuples, (uint32_t)f->key.count);
	for (size_t i = 0; i < f->key.count; i++)
		vec_push(&f->tuples, f->key.items[i]);
	return true;
}

void frontier_add(struct frontier *f, struct work *w)
{
	assert(!f->first == !f->last);
	w->next = NULL;
	if (f->last_in_first_out) {
		w->next = f->first;
		f->first = w;
		if (!f->last)
			f->last = w;
		return;
	}
	if (f->last)
		f->last->next = w;
	else
		f->first = w;
	f->last = w;
}

struct work *frontier_next(struct frontier *f)
{
	struct work *w = f->first;

	assert(!f->first == !f->last && (!f->last || !f->last->next));
	if (!w)
		return NULL;
	f->first = w->next;
	if (!f->first)
		f->last = NULL;
	return w;
}

struct work *frontier_work_new(const struct wanted *wanted, size_t steps)
{
	struct work *w = xcalloc(1, sizeof(*w) + steps * sizeof(w->seed[0]));

	w->steps = steps;
	for (size_t i = 0; i < wanted->steps.count; i++)
		vec_push(&w->wanted.steps, wanted->steps.items[i]);
	for (size_t i = 0; i < wanted->frozen.count; i++)
		vec_push(&w->wanted.frozen, wanted->frozen.items[i]);
	return w;
}

void frontier_work_free(struct work *w)
{
	vec_free(&w->wanted.frozen);
	vec_free(&w->wanted.steps);
	free(w);
}

static void free_list(struct work *w)
{
	while (w) {
		struct work *next = w->next;

		frontier_work_free(w);
		w = next;
	}
}

void frontier_fini(struct frontier *f)
{
	free_list(f->first);
	free_list(f->postponed);
	lookup_fini(&f->met);
	vec_free(&f->tuples);
	vec_free(&f->key);
}
