#include "oracle.h"

#include <stdlib.h>
#include <string.h>

struct key {
	uint64_t a, b;
};

struct search {
	const struct mini_program *p;
	enum wire_model model;
	struct key *set; /* open addressing; a = 0 is free */
	size_t capacity, used, limit;
	VEC(struct mini_state) stack;
	VEC(struct mini_outcome) found;
	bool over;
};

static uint64_t fold(uint64_t h, uint64_t v, uint64_t k)
{
	h = (h ^ v) * k;
	return h ^ (h >> 31);
}

/* What a thread will do is a function of what it has read and how far it is. */
static uint64_t digest(const struct search *x, const struct mini_state *s, uint64_t k)
{
	uint64_t h = k;

	for (unsigned i = 0; i < x->p->threads; i++) {
		const struct mini_thread *t = &s->threads[i];

		h = fold(h, t->past, k);
		h = fold(h, (uint64_t)t->index << 16 | (uint64_t)t->ended << 8 | t->buffered, k);
		for (unsigned b = 0; b < t->buffered; b++)
			h = fold(h, t->buffer[b].index, k);
	}
	for (unsigned i = 0; i < x->p->vars; i++)
		h = fold(h, (uint64_t)s->memory[i], k);
	for (unsigned i = 0; i < x->p->locks; i++)
		h = fold(h, (uint64_t)s->owner[i], k);
	return h;
}

static void grow(struct search *x)
{
	struct key *old = x->set;
	size_t n = x->capacity;

	x->capacity = n ? n * 2 : 4096;
	x->set = xcalloc(x->capacity, sizeof(*x->set));
	for (size_t i = 0; i < n; i++) {
		size_t at = (old[i].a >> 1) & (x->capacity - 1);

		if (!old[i].a)
			continue;
		while (x->set[at].a)
			at = (at + 1) & (x->capacity - 1);
		x->set[at] = old[i];
	}
	free(old);
}

/* True when s is new. */
static bool visit(struct search *x, const struct mini_state *s)
{
	struct key k = {digest(x, s, UINT64_C(0x9fb21c651e98df25)) | 1,
			digest(x, s, UINT64_C(0xd6e8feb86659fd93))};
	size_t at;

	if (x->used * 2 >= x->capacity)
		grow(x);
	at = (k.a >> 1) & (x->capacity - 1);
	while (x->set[at].a) {
		if (x->set[at].a == k.a && x->set[at].b == k.b)
			return false;
		at = (at + 1) & (x->capacity - 1);
	}
	x->set[at] = k;
	x->used++;
	return true;
}

static void reach(struct search *x, const struct mini_state *s)
{
	if (!visit(x, s))
		return;
	vec_push(&x->stack, *s);
	if (x->used > x->limit)
		x->over = true;
}

static void expand(struct search *x, const struct mini_state *s)
{
	struct mini_state next;
	struct solve_event e;
	bool moved = false, done = true;

	for (unsigned t = 0; t < x->p->threads; t++) {
		done = done && s->threads[t].ended;
		for (unsigned b = 0; b < s->threads[t].buffered; b++) {
			if (!mini_may_flush(s, t, b, x->model))
				continue;
			next = *s;
			mini_flush(&next, t, b, &e);
			moved = true;
			reach(x, &next);
		}
		if (!mini_enabled(s, x->p, t))
			continue;
		next = *s;
		mini_step(&next, x->p, t, x->model == MODEL_SC, &e);
		moved = true;
		reach(x, &next);
	}
	if (!moved) {
		struct mini_outcome o = {.key = mini_state_key(s, x->p),
					 .errors = s->errors,
					 .stuck = !done,
					 .ends = done};

		vec_push(&x->found, o);
	}
}

static int by_key(const void *a, const void *b)
{
	const struct mini_outcome *x = a, *y = b;

	return x->key < y->key ? -1 : x->key > y->key;
}

static void collect(struct mini_oracle *o, struct search *x)
{
	struct mini_outcome *s = x->found.items;
	size_t n = 0;

	qsort(s, x->found.count, sizeof(*s), by_key);
	for (size_t i = 0; i < x->found.count; i++) {
		if (n && s[n - 1].key == s[i].key) {
			if (s[n - 1].errors < s[i].errors)
				s[n - 1].errors = s[i].errors;
			s[n - 1].stuck |= s[i].stuck;
			s[n - 1].ends |= s[i].ends;
		} else {
			s[n++] = s[i];
		}
	}
	o->states = s;
	o->count = n;
	for (size_t i = 0; i < n; i++)
		o->erroneous += s[i].errors != 0;
}

void mini_oracle_run(struct mini_oracle *o, const struct mini_program *p, enum wire_model model,
		     size_t limit)
{
	struct search x = {.p = p, .model = model, .limit = limit};
	struct mini_state s;

	memset(o, 0, sizeof(*o));
	mini_start(&s, p);
	reach(&x, &s);
	while (x.stack.count && !x.over) {
		s = vec_pop(&x.stack);
		expand(&x, &s);
	}
	collect(o, &x);
	o->visited = x.used;
	o->complete = !x.over;
	vec_free(&x.stack);
	free(x.set);
}

void mini_oracle_fini(struct mini_oracle *o)
{
	free(o->states);
}

const struct mini_outcome *mini_oracle_find(const struct mini_oracle *o, uint64_t key)
{
	struct mini_outcome k = {.key = key};

	return o->count ? bsearch(&k, o->states, o->count, sizeof(k), by_key) : NULL;
}
