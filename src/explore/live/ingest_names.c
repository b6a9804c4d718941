/* Synchronisation objects by their address, where they lie, and the classes of a step. */
#include <stdlib.h>

#include "base/mem.h"
#include "explore/live/ingest_thread.h"

static size_t name_place(const struct ingest *x, uint64_t address, uint32_t kind)
{
	size_t at = intern_hash(address, kind) & (x->name_capacity - 1);

	while (x->names[at].address &&
	       (x->names[at].address != address || x->names[at].kind != kind))
		at = (at + 1) & (x->name_capacity - 1);
	return at;
}

static void grow_names(struct ingest *x)
{
	struct ingest_name *old = x->names;
	size_t count = x->name_capacity;

	x->name_capacity = count ? count * 2 : 64;
	x->names = xcalloc(x->name_capacity, sizeof(*x->names));
	for (size_t i = 0; i < count; i++)
		if (old[i].address)
			x->names[name_place(x, old[i].address, old[i].kind)] = old[i];
	free(old);
}

uint32_t ingest_object(struct ingest *x, uint64_t address, enum learn_object_kind kind)
{
	struct learn_object o = {.kind = kind, .sync = x->l->syncs, .address = address};
	size_t at;

	if (x->name_count * 2 >= x->name_capacity)
		grow_names(x);
	at = name_place(x, address, kind);
	if (x->names[at].address)
		return x->names[at].object;
	x->names[at] = (struct ingest_name){address, kind, (uint32_t)x->l->objects.count};
	x->name_count++;
	x->l->syncs++;
	vec_push(&x->l->objects, o);
	return x->names[at].object;
}

void ingest_class(struct ingest *x, const struct ingest_thread *t, uint32_t object,
		  enum foot_kind kind)
{
	struct foot_class c = {.thread = t->number,
			       .object = object,
			       .kind = kind,
			       .locks = t->locks,
			       .joined = t->joined};
	uint32_t id = foot_class(&x->l->foot, &c);
	size_t at = x->classes.count;

	while (at > 0 && x->classes.items[at - 1] > id)
		at--;
	if (at > 0 && x->classes.items[at - 1] == id)
		return;
	vec_push(&x->classes, id);
	for (size_t i = x->classes.count - 1; i > at; i--)
		x->classes.items[i] = x->classes.items[i - 1];
	x->classes.items[at] = id;
}

bool ingest_uses_place(const struct wire_event *ev)
{
	switch (ev->kind) {
	case EVENT_LOCK:
	case EVENT_UNLOCK:
	case EVENT_TRYLOCK:
	case EVENT_RDLOCK:
	case EVENT_WRLOCK:
	case EVENT_RWUNLOCK:
	case EVENT_TRYRDLOCK:
	case EVENT_TRYWRLOCK:
	case EVENT_SPIN_LOCK:
	case EVENT_SPIN_UNLOCK:
	case EVENT_SPIN_TRYLOCK:
	case EVENT_OBJ_INIT:
	case EVENT_OBJ_DESTROY:
	case EVENT_COND_WAIT:
	case EVENT_COND_SIGNAL:
	case EVENT_COND_BROADCAST:
	case EVENT_BARRIER_ARRIVE:
	case EVENT_SEM_WAIT:
	case EVENT_SEM_POST:
	case EVENT_SEM_TRYWAIT:
	case EVENT_FUTEX_WAIT:
		return true;
	default:
		return false;
	}
}

void ingest_find_place(struct ingest *x, const struct ingest_thread *t, const struct wire_event *ev,
		       struct learn_step *s)
{
	uint32_t offset, bytes, memory;

	if (!ingest_uses_place(ev) || s->object == LEARN_NONE)
		return;
	memory = cells_find(x->cells, x->l, ev->addr, 1, &offset, &bytes);
	if (memory == LEARN_NONE)
		return;
	s->lies_in = memory + 1;
	ingest_class(x, t, memory, FOOT_READ);
}
