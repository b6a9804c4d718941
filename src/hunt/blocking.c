#include "hunt/blocking.h"

#include <stdlib.h>

#include "model/event.h"

void hunt_blocking_fini(struct hunt_blocking *b)
{
	vec_free(&b->edges);
}

static void add_edge(struct hunt_blocking *b, uint64_t held, uint64_t wanted)
{
	for (size_t i = 0; i < b->edges.count; i++)
		if (b->edges.items[i].held == held && b->edges.items[i].wanted == wanted)
			return;
	vec_push(&b->edges, ((struct hunt_lock_edge){held, wanted}));
}

struct held {
	VEC_FIELDS(uint64_t);
};

static void take(struct hunt_blocking *b, struct held *h, uint64_t lock, bool waits)
{
	for (size_t i = 0; waits && i < h->count; i++)
		if (h->items[i] != lock)
			add_edge(b, h->items[i], lock);
	vec_push(h, lock);
}

static void give(struct held *h, uint64_t lock)
{
	for (size_t i = h->count; i-- > 0;)
		if (h->items[i] == lock) {
			h->items[i] = h->items[--h->count];
			return;
		}
}

static void do_event(struct hunt_blocking *b, struct held *h, const struct symex_event *e)
{
	switch (e->kind) {
	case EVENT_LOCK:
	case EVENT_RDLOCK:
	case EVENT_WRLOCK:
	case EVENT_SPIN_LOCK:
		take(b, h, e->addr, true);
		break;
	case EVENT_TRYLOCK:
	case EVENT_TRYRDLOCK:
	case EVENT_TRYWRLOCK:
	case EVENT_SPIN_TRYLOCK:
		if (!e->value && !e->value_expr)
			take(b, h, e->addr, false);
		break;
	case EVENT_UNLOCK:
	case EVENT_RWUNLOCK:
	case EVENT_SPIN_UNLOCK:
		give(h, e->addr);
		break;
	case EVENT_THREAD_JOIN:
		/* Whoever is waited for may want what the waiter holds. */
		b->waits |= h->count > 0;
		break;
	case EVENT_COND_WAIT:
	case EVENT_BARRIER_ARRIVE:
	case EVENT_SEM_WAIT:
	case EVENT_SEM_TRYWAIT:
	case EVENT_SEM_TIMEOUT:
	case EVENT_ONCE_BEGIN:
	case EVENT_FUTEX_WAIT:
	case EVENT_FD:
	case EVENT_KILL:
	case EVENT_HANDLER:
	case EVENT_THREAD_CANCEL:
		b->waits = true;
		break;
	default:
		break;
	}
}

/* Whether a thread touches the bytes, or uses the object there, at or behind its event `from'. */
static bool uses(const struct symex_thread *th, size_t from, uint64_t addr, uint64_t bytes)
{
	for (size_t k = from; k < th->events.count; k++) {
		const struct symex_event *e = &th->events.items[k];

		if (e->kind == EVENT_ALLOC && e->addr == addr)
			return false; /* the place has another tenant */
		if (!e->marker && e->addr + (e->size ? e->size : 1) > addr &&
		    e->addr < addr + (bytes ? bytes : 1))
			return true;
	}
	return false;
}

/* Given up at event k of thread i: others use it at any time, or the thread itself later. */
static bool is_reused(const struct symex_trace *t, size_t i, size_t k)
{
	const struct symex_event *e = &t->threads.items[i].events.items[k];
	uint64_t bytes = e->kind == EVENT_FREE ? e->value : 1;

	for (size_t o = 0; o < t->threads.count; o++)
		if (uses(&t->threads.items[o], o == i ? k + 1 : 0, e->addr, bytes))
			return true;
	return false;
}

/* Every access has to lie in one thing that the program has. */
static bool is_outside(const struct symex_trace *t, const struct symex_event *e)
{
	struct symex_object o;

	for (uint32_t k = e->first; k < e->first + e->count; k++) {
		const struct symex_part *p = &t->parts.items[k];

		if (e->aux & EVENT_HIDDEN)
			continue;
		/* Of its own frames a thread knows where things lie. */
		if (symex_trace_object(t, p->addr, &o)
			    ? p->addr + p->size > o.base + o.bytes
			    : e->shared || symex_address_is_heap(p->addr))
			return true;
	}
	return false;
}

void hunt_blocking_add(struct hunt_blocking *b, const struct symex_trace *t)
{
	for (size_t i = 0; i < t->threads.count; i++) {
		const struct symex_thread *th = &t->threads.items[i];
		struct held h = VEC_INIT;

		for (size_t k = 0; k < th->events.count; k++) {
			const struct symex_event *e = &th->events.items[k];

			do_event(b, &h, e);
			if ((e->kind == EVENT_FREE || e->kind == EVENT_OBJ_DESTROY) && !b->reuse)
				b->reuse = is_reused(t, i, k);
			if (!b->outside)
				b->outside = is_outside(t, e);
		}
		vec_free(&h);
	}
}

/* From `at' back to `to' along edges; `budget' bounds the walk, and being short of it means yes. */
static bool reaches(const struct hunt_blocking *b, uint64_t at, uint64_t to, uint32_t *budget)
{
	if (at == to || *budget == 0)
		return true;
	--*budget;
	for (size_t i = 0; i < b->edges.count; i++)
		if (b->edges.items[i].held == at &&
		    reaches(b, b->edges.items[i].wanted, to, budget))
			return true;
	return false;
}

bool hunt_blocking_may(const struct hunt_blocking *b)
{
	uint32_t budget = 100000;

	if (b->waits)
		return true;
	for (size_t i = 0; i < b->edges.count; i++)
		if (reaches(b, b->edges.items[i].wanted, b->edges.items[i].held, &budget))
			return true;
	return false;
}
