#include "predict/deadlock.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

static bool set_blocks(const struct predict_trace *t, uint32_t set, uint32_t lock, bool shared)
{
	for (uint32_t i = t->set_start.items[set]; i < t->set_start.items[set + 1]; i++) {
		uint32_t code = t->set_codes.items[i];

		if (code / 2 == lock && !(shared && code % 2 == 1))
			return true;
	}
	return false;
}

static uint32_t set_before(const struct predict_trace *t, uint32_t e)
{
	return t->lists.items[t->held[e]].set;
}

bool predict_deadlock_is_pattern(const struct predict_trace *t, const uint32_t *requests,
				 uint32_t n)
{
	if (n < 2)
		return false;
	for (uint32_t i = 0; i < n; i++) {
		const struct predict_event *x = &t->events.items[requests[i]];
		uint32_t next = requests[(i + 1) % n];

		if (x->op != OP_ACQ || x->flags & PREDICT_TRY ||
		    !set_blocks(t, set_before(t, next), x->object, x->flags & PREDICT_SHARED))
			return false;
		for (uint32_t j = 0; j < i; j++) {
			const struct predict_event *y = &t->events.items[requests[j]];

			if (x->thread == y->thread || x->object == y->object ||
			    !predict_trace_sets_disjoint(t, set_before(t, requests[i]),
							 set_before(t, requests[j])))
				return false;
		}
	}
	return true;
}

/* ---- classes ---- */

struct class_table {
	uint32_t *slots; /* class + 1 */
	size_t size;
};

static uint64_t class_hash(const struct predict_lock_class *k)
{
	uint64_t h = k->thread * UINT64_C(0x9e3779b97f4a7c15);

	h = (h ^ k->lock) * UINT64_C(0xff51afd7ed558ccd);
	h = (h ^ k->set) * UINT64_C(0xc4ceb9fe1a85ec53);
	return (h ^ k->shared) ^ (h >> 32);
}

static size_t class_slot(const struct class_table *table, const struct predict_deadlocks *d,
			 const struct predict_lock_class *k)
{
	size_t i = class_hash(k) & (table->size - 1);

	while (table->slots[i] != 0) {
		const struct predict_lock_class *have = &d->classes.items[table->slots[i] - 1];

		if (have->thread == k->thread && have->lock == k->lock && have->set == k->set &&
		    have->shared == k->shared)
			break;
		i = (i + 1) & (table->size - 1);
	}
	return i;
}

static void class_grow(struct class_table *table, const struct predict_deadlocks *d)
{
	free(table->slots);
	table->size = table->size ? table->size * 2 : 256;
	table->slots = xcalloc(table->size, sizeof(*table->slots));
	for (uint32_t i = 0; i < d->classes.count; i++)
		table->slots[class_slot(table, d, &d->classes.items[i])] = i + 1;
}

static void collect_classes(const struct predict_core *c, struct predict_deadlocks *d)
{
	const struct predict_trace *t = c->t;
	struct class_table table = {NULL, 0};

	for (uint32_t i = 0; i < c->n; i++) {
		uint32_t e = c->by_trace[i];
		struct predict_lock_class k = {c->thread[e], c->object[e], 0, c->shared[e],
					       VEC_INIT};
		size_t slot;

		if (c->op[e] != OP_ACQ || t->held[c->ev[e]] == 0 ||
		    t->events.items[c->ev[e]].flags & PREDICT_TRY)
			continue;
		k.set = set_before(t, c->ev[e]);
		if ((d->classes.count + 1) * 2 > table.size)
			class_grow(&table, d);
		slot = class_slot(&table, d, &k);
		if (table.slots[slot] == 0) {
			vec_push(&d->classes, k);
			table.slots[slot] = (uint32_t)d->classes.count;
		}
		vec_push(&d->classes.items[table.slots[slot] - 1].requests, c->ev[e]);
	}
	free(table.slots);
}

/* ---- cycles ---- */

struct walk {
	const struct predict_trace *t;
	struct predict_deadlocks *d;
	VEC(uint32_t) path;
	uint32_t *holders_first, *holders; /* lock -> classes that hold it */
	uint64_t budget;
};

static void index_holders(struct walk *w, uint32_t locks)
{
	const struct predict_trace *t = w->t;
	uint32_t *first = xcalloc(locks + 2, sizeof(*first));
	uint32_t total = 0;

	for (int pass = 0; pass < 2; pass++) {
		for (uint32_t i = 0; i < w->d->classes.count; i++) {
			uint32_t set = w->d->classes.items[i].set;

			for (uint32_t j = t->set_start.items[set]; j < t->set_start.items[set + 1];
			     j++) {
				uint32_t lock = t->set_codes.items[j] / 2;

				if (pass == 0)
					first[lock + 2]++, total++;
				else
					w->holders[first[lock + 1]++] = i;
			}
		}
		for (uint32_t i = 2; pass == 0 && i < locks + 2; i++)
			first[i] += first[i - 1];
		if (pass == 0)
			w->holders = xmalloc((total + 1) * sizeof(*w->holders));
	}
	w->holders_first = first;
}

/* May class k follow what is on the path? */
static bool fits(const struct walk *w, uint32_t k)
{
	const struct predict_lock_class *n = &w->d->classes.items[k];

	for (size_t i = 0; i < w->path.count; i++) {
		const struct predict_lock_class *have = &w->d->classes.items[w->path.items[i]];

		if (have->thread == n->thread || have->lock == n->lock ||
		    !predict_trace_sets_disjoint(w->t, have->set, n->set))
			return false;
	}
	return true;
}

static void keep_cycle(struct walk *w)
{
	vec_push(&w->d->cycles, (uint32_t)w->path.count);
	for (size_t i = 0; i < w->path.count; i++)
		vec_push(&w->d->cycles, w->path.items[i]);
	w->d->cycle_count++;
}

static void walk(struct walk *w)
{
	uint32_t start = w->path.items[0], last = vec_last(&w->path);
	const struct predict_lock_class *from = &w->d->classes.items[last];

	if (w->budget == 0) {
		w->d->incomplete = true;
		return;
	}
	w->budget--;
	if (w->path.count > 1 &&
	    set_blocks(w->t, w->d->classes.items[start].set, from->lock, from->shared))
		keep_cycle(w);
	for (uint32_t i = w->holders_first[from->lock]; i < w->holders_first[from->lock + 1]; i++) {
		uint32_t k = w->holders[i];

		if (k <= start || !fits(w, k) ||
		    !set_blocks(w->t, w->d->classes.items[k].set, from->lock, from->shared))
			continue;
		vec_push(&w->path, k);
		walk(w);
		(void)vec_pop(&w->path);
	}
}

void predict_deadlock_list(const struct predict_core *c, uint64_t budget,
			   struct predict_deadlocks *out)
{
	struct walk w = {.t = c->t, .d = out, .budget = budget};

	collect_classes(c, out);
	index_holders(&w, predict_names_count(&c->t->locks));
	for (uint32_t i = 0; i < out->classes.count; i++) {
		vec_clear(&w.path);
		vec_push(&w.path, i);
		walk(&w);
	}
	vec_free(&w.path);
	free(w.holders_first);
	free(w.holders);
}

void predict_deadlock_fini(struct predict_deadlocks *d)
{
	for (size_t i = 0; i < d->classes.count; i++)
		vec_free(&d->classes.items[i].requests);
	vec_free(&d->classes);
	vec_free(&d->cycles);
}
