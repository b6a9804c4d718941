#include "analyze/shared.h"

#include <llvm-c/Core.h>

struct work {
	struct flow *f;
	bool *shared;
	VEC(uint32_t) list;
};

static void mark(struct work *k, uint32_t object)
{
	if (k->shared[object])
		return;
	k->shared[object] = true;
	vec_push(&k->list, object);
}

static void mark_set(struct work *k, uint32_t node)
{
	struct points *p = &k->f->w->points;
	size_t n;
	const uint32_t *set = points_set(p, node, &n);

	for (size_t i = 0; i < n; i++)
		mark(k, p->locs.all.items[set[i]].object);
}

/* Objects that are stored in one that another thread can come to, or has not made. */
static void mark_stored(struct work *k, uint32_t object)
{
	struct points *p = &k->f->w->points;
	const struct object *o = &p->locs.objects.items[object];

	for (size_t i = 0; i < o->cells.count; i++)
		mark_set(k, p->cells.items[o->cells.items[i]].in);
}

static void mark_foreign(struct work *k, uint32_t object)
{
	struct points *p = &k->f->w->points;
	const struct object *o = &p->locs.objects.items[object];
	size_t n;

	for (size_t i = 0; i < o->cells.count; i++) {
		const uint32_t *set = points_set(p, p->cells.items[o->cells.items[i]].in, &n);

		for (size_t k2 = 0; k2 < n; k2++) {
			uint32_t in = p->locs.all.items[set[k2]].object;

			if (p->locs.objects.items[in].thread != o->thread)
				mark(k, in);
		}
	}
}

bool *shared_find(struct flow *f)
{
	struct whole *w = f->w;
	size_t n = w->points.locs.objects.count;
	struct work k = {.f = f, .shared = xcalloc(n + 1, sizeof(bool))};

	for (uint32_t i = 0; i < n; i++) {
		const struct object *o = &w->points.locs.objects.items[i];

		if (o->thread == LOC_NO_THREAD || o->escaped)
			mark(&k, i);
		else
			mark_foreign(&k, i);
	}
	for (uint32_t t = 1; t < w->threads.count; t++) {
		LLVMValueRef entry = whole_function(w, w->threads.items[t].root);

		for (unsigned i = 0; i < LLVMCountParams(entry); i++)
			mark_set(&k,
				 whole_node(w, w->threads.items[t].root, LLVMGetParam(entry, i)));
		mark_set(&k, w->threads.items[t].result);
	}
	mark_set(&k, w->escaped);
	mark_set(&k, w->world);
	mark_set(&k, w->thrown);
	while (k.list.count)
		mark_stored(&k, vec_pop(&k.list));
	vec_free(&k.list);
	return k.shared;
}
