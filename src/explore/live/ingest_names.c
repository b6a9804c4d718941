/* Synchronisation objects by their address, and the classes of a step. */
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
