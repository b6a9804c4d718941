#include "explore/complete.h"

static uint64_t hash_words(const uint32_t *v, size_t n)
{
	uint64_t h = n;

	for (size_t i = 0; i < n; i++) {
		h = (h ^ v[i]) * UINT64_C(0x9e3779b97f4a7c15);
		h ^= h >> 32;
	}
	return h;
}

static size_t place(const struct frontier *f, const uint32_t *v, uint32_t n)
{
	size_t at = hash_words(v, n) & (f->capacity - 1);

	while (f->table[at]) {
		const uint32_t *t = f->tuples.items + f->table[at] - 1;

		if (t[0] == n && !memcmp(t + 1, v, n * sizeof(*v)))
			break;
		at = (at + 1) & (f->capacity - 1);
	}
	return at;
}

static void grow(struct frontier *f)
{
	free(f->table);
	f->capacity = f->capacity ? f->capacity * 2 : 1024;
	f->table = xcalloc(f->capacity, sizeof(*f->table));
	for (uint32_t at = 0; at < f->tuples.count; at += f->tuples.items[at] + 1) {
		const uint32_t *t = f->tuples.items + at;

		f->table[place(f, t + 1, t[0])] = at + 1;
	}
}

bool frontier_meet(struct frontier *f, const struct wanted *w)
{
	uint32_t n = (uint32_t)w->frozen.count;
	size_t at;

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
	if (f->used * 2 >= f->capacity)
		grow(f);
	at = place(f, f->key.items, (uint32_t)f->key.count);
	if (f->table[at])
		return false;
	f->table[at] = (uint32_t)f->tuples.count + 1;
	vec_push(&f->tuples, (uint32_t)f->key.count);
	for (size_t i = 0; i < f->key.count; i++)
		vec_push(&f->tuples, f->key.items[i]);
	f->used++;
	return true;
}

void frontier_add(struct frontier *f, struct work *w)
{
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
	free(f->table);
	vec_free(&f->tuples);
	vec_free(&f->key);
}
