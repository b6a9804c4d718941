#include "predict/read/graves.h"

#include <stdlib.h>

#include "base/mem.h"

struct owner {
	uint64_t lock;
	uint32_t tid, depth;
};

static struct owner *owner_of(struct owner *owners, size_t n, uint64_t lock)
{
	for (size_t i = 0; i < n; i++) {
		if (owners[i].lock == lock)
			return &owners[i];
	}
	return NULL;
}

/* Finds locks that are taken although their owner never released them: it has died. */
void predict_graves_find(struct predict_maker *m)
{
	VEC(struct owner) owners = VEC_INIT;
	uint32_t *last = xcalloc(UINT16_MAX + 1, sizeof(*last));

	for (uint32_t i = 0; i < m->b->events.count; i++) {
		const struct wire_event *e = &m->b->events.items[i];
		bool takes = e->kind == EVENT_LOCK || (e->kind == EVENT_TRYLOCK && e->value == 0);
		bool wakes = e->kind == EVENT_COND_WAKE, waits = e->kind == EVENT_COND_WAIT;
		uint64_t lock = wakes || waits ? e->value : e->addr;
		struct owner *o;

		if (takes || wakes || waits || e->kind == EVENT_UNLOCK) {
			o = owner_of(owners.items, owners.count, lock);
			if (o == NULL) {
				vec_push(&owners, ((struct owner){lock, e->tid, 0}));
				o = &vec_last(&owners);
			}
			if ((takes || wakes) && o->depth > 0 && o->tid != e->tid) {
				vec_push(&m->graves, ((struct predict_grave){lock, last[o->tid]}));
				o->depth = 0;
			}
			o->depth = takes || wakes ? o->depth + 1 : o->depth - (o->depth > 0);
			o->tid = e->tid;
		}
		last[e->tid] = i;
	}
	vec_free(&owners);
	free(last);
}

/* A robust mutex that its owner took to the grave is free after the owner's last event. */
void predict_graves_open(struct predict_maker *m)
{
	for (size_t i = 0; i < m->graves.count; i++) {
		if (m->graves.items[i].last == m->i)
			predict_maker_more(m, OP_REL,
					   predict_maker_lock(m, m->graves.items[i].lock), 0);
	}
}
