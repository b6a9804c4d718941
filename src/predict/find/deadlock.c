#include "predict/find/deadlock.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "predict/find/lockorder.h"

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

/* May a thread come to stand at this acquisition?  Nobody waits inside a step. */
static bool is_request(const struct predict_trace *t, uint32_t e)
{
	return t->events.items[e].op == OP_ACQ && !(t->events.items[e].flags & PREDICT_TRY) &&
	       predict_trace_head(t, e) == e;
}

bool predict_deadlock_is_pattern(const struct predict_trace *t, const uint32_t *requests,
				 uint32_t n)
{
	if (n < 2)
		return false;
	for (uint32_t i = 0; i < n; i++) {
		const struct predict_event *x = &t->events.items[requests[i]];
		uint32_t next = requests[(i + 1) % n];

		if (!is_request(t, requests[i]) ||
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

/* The request waits for a lock that one of the others holds. */
static bool blocked_by_others(const struct predict_trace *t, const uint32_t *requests, uint32_t n,
			      uint32_t i)
{
	const struct predict_event *x = &t->events.items[requests[i]];

	for (uint32_t j = 0; j < n; j++) {
		if (j != i &&
		    set_blocks(t, set_before(t, requests[j]), x->object, x->flags & PREDICT_SHARED))
			return true;
	}
	return false;
}

bool predict_deadlock_is_stuck(const struct predict_trace *t, const uint32_t *requests, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++) {
		const struct predict_event *x = &t->events.items[requests[i]];

		if (!is_request(t, requests[i]) || !blocked_by_others(t, requests, n, i))
			return false;
		for (uint32_t j = 0; j < i; j++) {
			if (x->thread == t->events.items[requests[j]].thread ||
			    !predict_trace_sets_disjoint(t, set_before(t, requests[i]),
							 set_before(t, requests[j])))
				return false;
		}
	}
	return n >= 2;
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

		if (!is_request(t, c->ev[e]) || t->held[c->ev[e]] == 0)
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

#define FAR UINT32_MAX
#define MAX_LENGTH 1024 /* of a cycle */

struct walk {
	const struct predict_trace *t;
	struct predict_deadlocks *d;
	uint32_t *part; /* by lock, see lockorder.h */
	VEC(uint32_t) path;
	uint32_t *holders_first, *holders; /* lock -> classes that hold it and lie in its part */
	uint32_t *steps;    /* by lock: classes needed to come to a lock of the start */
	VEC(uint32_t) near; /* locks with steps, nearest first */
	uint32_t length;    /* of the cycles looked for */
	size_t limit;	    /* of cycles */
	uint64_t budget;
};

static bool on_cycle(const struct walk *w, uint32_t held, uint32_t lock)
{
	return w->part[lock] != PREDICT_LOCKORDER_ALONE && w->part[held] == w->part[lock];
}

/* Only what can be on a cycle: a class holding a lock of the part of the lock it requests. */
static void index_holders(struct walk *w, uint32_t locks)
{
	const struct predict_trace *t = w->t;
	uint32_t *first = xcalloc(locks + 2, sizeof(*first));

	for (int pass = 0; pass < 2; pass++) {
		for (uint32_t i = 0; i < w->d->classes.count; i++) {
			const struct predict_lock_class *k = &w->d->classes.items[i];

			for (uint32_t j = t->set_start.items[k->set];
			     j < t->set_start.items[k->set + 1]; j++) {
				uint32_t lock = t->set_codes.items[j] / 2;

				if (!on_cycle(w, lock, k->lock))
					continue;
				if (pass == 0)
					first[lock + 2]++;
				else
					w->holders[first[lock + 1]++] = i;
			}
		}
		for (uint32_t i = 2; pass == 0 && i < locks + 2; i++)
			first[i] += first[i - 1];
		if (pass == 0)
			w->holders = xmalloc(((size_t)first[locks + 1] + 1) * sizeof(*w->holders));
	}
	w->holders_first = first;
}

/* Takes so much of the budget; false when there is none left. */
static bool charge(struct walk *w, uint64_t amount)
{
	if (w->budget < amount) {
		w->budget = 0;
		w->d->incomplete = true;
		return false;
	}
	w->budget -= amount;
	return true;
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
	if (w->d->cycle_count == w->limit) {
		w->d->incomplete = true;
		return;
	}
	vec_push(&w->d->cycles, (uint32_t)w->path.count);
	for (size_t i = 0; i < w->path.count; i++)
		vec_push(&w->d->cycles, w->path.items[i]);
	w->d->cycle_count++;
}

static void walk(struct walk *w)
{
	uint32_t start = w->path.items[0], last = vec_last(&w->path);
	const struct predict_lock_class *from = &w->d->classes.items[last];
	uint32_t left = w->length - (uint32_t)w->path.count;

	if (!charge(w, 1))
		return;
	if (left == 0) {
		if (set_blocks(w->t, w->d->classes.items[start].set, from->lock, from->shared))
			keep_cycle(w);
		return;
	}
	for (uint32_t i = w->holders_first[from->lock];
	     i < w->holders_first[from->lock + 1] && !w->d->incomplete; i++) {
		uint32_t k = w->holders[i], lock = w->d->classes.items[k].lock;

		if (k <= start || w->steps[lock] > left - 1 || !fits(w, k) ||
		    !set_blocks(w->t, w->d->classes.items[k].set, from->lock, from->shared))
			continue;
		vec_push(&w->path, k);
		walk(w);
		(void)vec_pop(&w->path);
	}
}

static void note_steps(struct walk *w, uint32_t lock, uint32_t steps)
{
	if (w->steps[lock] != FAR)
		return;
	w->steps[lock] = steps;
	vec_push(&w->near, lock);
}

/*
 * Fills steps for the locks from which a chain of at most length classes leads to a lock that start
 * holds.  A class leads from the locks it holds to the one it requests; backwards, all requests of
 * a lock are looked at by way of by_lock.
 */
static bool measure(struct walk *w, uint32_t start, const uint32_t *by_lock_first,
		    const uint32_t *by_lock)
{
	const struct predict_trace *t = w->t;
	uint32_t set = w->d->classes.items[start].set, lock = w->d->classes.items[start].lock;

	for (uint32_t i = t->set_start.items[set]; i < t->set_start.items[set + 1]; i++) {
		if (on_cycle(w, t->set_codes.items[i] / 2, lock))
			note_steps(w, t->set_codes.items[i] / 2, 0);
	}
	for (size_t n = 0; n < w->near.count && w->steps[w->near.items[n]] < w->length; n++) {
		uint32_t to = w->near.items[n];

		for (uint32_t i = by_lock_first[to]; i < by_lock_first[to + 1]; i++) {
			uint32_t from = w->d->classes.items[by_lock[i]].set;

			if (!charge(w, 1))
				return false;
			for (uint32_t j = t->set_start.items[from];
			     by_lock[i] > start && j < t->set_start.items[from + 1]; j++) {
				if (on_cycle(w, t->set_codes.items[j] / 2, to))
					note_steps(w, t->set_codes.items[j] / 2, w->steps[to] + 1);
			}
		}
	}
	return true;
}

static void forget_steps(struct walk *w)
{
	for (size_t i = 0; i < w->near.count; i++)
		w->steps[w->near.items[i]] = FAR;
	vec_clear(&w->near);
}

/* Classes by the lock they request. */
static void index_requests(const struct walk *w, uint32_t locks, uint32_t **first, uint32_t **items)
{
	uint32_t *f = xcalloc(locks + 2, sizeof(*f));
	uint32_t n = (uint32_t)w->d->classes.count;

	*items = xmalloc((n + 1) * sizeof(**items));
	for (uint32_t i = 0; i < n; i++)
		f[w->d->classes.items[i].lock + 2]++;
	for (uint32_t l = 2; l < locks + 2; l++)
		f[l] += f[l - 1];
	for (uint32_t i = 0; i < n; i++)
		(*items)[f[w->d->classes.items[i].lock + 1]++] = i;
	*first = f;
}

/* No cycle has more locks than a part, nor more threads than there are. */
static uint32_t longest(const struct walk *w, uint32_t locks, uint32_t parts)
{
	uint32_t *size = xcalloc(parts + 1, sizeof(*size));
	uint32_t most = 0;

	for (uint32_t l = 0; l < locks; l++) {
		if (w->part[l] != PREDICT_LOCKORDER_ALONE && ++size[w->part[l]] > most)
			most = size[w->part[l]];
	}
	free(size);
	return most < w->t->thread_count ? most : w->t->thread_count;
}

/* Short cycles first: when the budget ends, all shorter ones are there. */
static void list_cycles(struct walk *w, uint32_t locks, uint32_t most)
{
	uint32_t *first, *items;

	index_requests(w, locks, &first, &items);
	for (w->length = 2; w->length <= most && !w->d->incomplete; w->length++) {
		if (w->length > MAX_LENGTH)
			w->d->incomplete = true;
		for (uint32_t i = 0; i < w->d->classes.count && !w->d->incomplete; i++) {
			if (w->part[w->d->classes.items[i].lock] == PREDICT_LOCKORDER_ALONE)
				continue;
			vec_clear(&w->path);
			vec_push(&w->path, i);
			if (measure(w, i, first, items) &&
			    w->steps[w->d->classes.items[i].lock] <= w->length - 1)
				walk(w);
			forget_steps(w);
		}
		if (!w->d->incomplete)
			w->d->complete = w->length;
	}
	free(first);
	free(items);
}

void predict_deadlock_list(const struct predict_core *c, uint64_t budget, size_t limit,
			   struct predict_deadlocks *out)
{
	struct walk w = {.t = c->t, .d = out, .limit = limit, .budget = budget};
	uint32_t locks = predict_names_count(&c->t->locks), parts;

	collect_classes(c, out);
	w.part = xcalloc(locks + 1, sizeof(*w.part));
	w.steps = xmalloc((locks + 1) * sizeof(*w.steps));
	for (uint32_t l = 0; l < locks; l++)
		w.steps[l] = FAR;
	parts = predict_lockorder_parts(c->t, out, w.part);
	index_holders(&w, locks);
	out->complete = 1;
	list_cycles(&w, locks, longest(&w, locks, parts));
	vec_free(&w.path);
	vec_free(&w.near);
	free(w.part);
	free(w.steps);
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
