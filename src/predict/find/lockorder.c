#include "predict/find/lockorder.h"

#include <assert.h>
#include <stdlib.h>

#include "base/mem.h"

/* Tarjan's algorithm with a stack of its own: traces decide how deep it goes. */
struct finder {
	uint32_t locks;
	uint32_t *first, *to; /* edges of lock l: to[first[l] .. first[l + 1]) */
	uint32_t *at;	      /* by lock: next edge to follow */
	uint32_t *found;      /* by lock: order of discovery + 1, 0 = not yet */
	uint32_t *low;	      /* by lock: earliest lock it leads back to */
	uint32_t *part;
	VEC(uint32_t) path;  /* being explored */
	VEC(uint32_t) stack; /* discovered, part not known */
	uint32_t counter, parts;
};

/* Not yet in a part while it is on the stack. */
#define UNDECIDED (PREDICT_LOCKORDER_ALONE - 1)

static void collect_edges(struct finder *f, const struct predict_trace *t,
			  const struct predict_deadlocks *d)
{
	f->first = xcalloc(f->locks + 2, sizeof(*f->first));
	for (int pass = 0; pass < 2; pass++) {
		for (size_t k = 0; k < d->classes.count; k++) {
			const struct predict_lock_class *c = &d->classes.items[k];

			for (uint32_t i = t->set_start.items[c->set];
			     i < t->set_start.items[c->set + 1]; i++) {
				uint32_t held = t->set_codes.items[i] / 2;

				if (pass == 0)
					f->first[held + 2]++;
				else
					f->to[f->first[held + 1]++] = c->lock;
			}
		}
		for (uint32_t l = 2; pass == 0 && l < f->locks + 2; l++)
			f->first[l] += f->first[l - 1];
		if (pass == 0)
			f->to = xmalloc(((size_t)f->first[f->locks + 1] + 1) * sizeof(*f->to));
	}
}

static void discover(struct finder *f, uint32_t lock)
{
	f->found[lock] = f->low[lock] = ++f->counter;
	f->at[lock] = f->first[lock];
	f->part[lock] = UNDECIDED;
	vec_push(&f->path, lock);
	vec_push(&f->stack, lock);
}

/* The lock is the first of its part: what was discovered after it and led back to it is the rest.
 */
static void close_part(struct finder *f, uint32_t lock)
{
	bool alone = vec_last(&f->stack) == lock;
	uint32_t member;

	do {
		member = vec_pop(&f->stack);
		assert(f->part[member] == UNDECIDED);
		f->part[member] = alone ? PREDICT_LOCKORDER_ALONE : f->parts;
	} while (member != lock);
	f->parts += !alone;
}

static void leave(struct finder *f)
{
	uint32_t lock = vec_pop(&f->path);

	if (f->low[lock] == f->found[lock])
		close_part(f, lock);
	if (f->path.count > 0) {
		uint32_t parent = vec_last(&f->path);

		f->low[parent] = f->low[lock] < f->low[parent] ? f->low[lock] : f->low[parent];
	}
}

static void explore(struct finder *f, uint32_t start)
{
	discover(f, start);
	while (f->path.count > 0) {
		uint32_t lock = vec_last(&f->path), next;

		if (f->at[lock] == f->first[lock + 1]) {
			leave(f);
			continue;
		}
		next = f->to[f->at[lock]++];
		if (f->found[next] == 0)
			discover(f, next);
		else if (f->part[next] == UNDECIDED && f->found[next] < f->low[lock])
			f->low[lock] = f->found[next];
	}
}

uint32_t predict_lockorder_parts(const struct predict_trace *t, const struct predict_deadlocks *d,
				 uint32_t *part)
{
	struct finder f = {.locks = predict_names_count(&t->locks), .part = part};

	f.at = xcalloc(f.locks + 1, sizeof(*f.at));
	f.found = xcalloc(f.locks + 1, sizeof(*f.found));
	f.low = xcalloc(f.locks + 1, sizeof(*f.low));
	collect_edges(&f, t, d);
	for (uint32_t l = 0; l < f.locks; l++) {
		if (f.found[l] == 0)
			explore(&f, l);
	}
	assert(f.stack.count == 0);
	free(f.first);
	free(f.to);
	free(f.at);
	free(f.found);
	free(f.low);
	vec_free(&f.path);
	vec_free(&f.stack);
	return f.parts;
}
