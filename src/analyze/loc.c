#include "analyze/loc.h"

#include <assert.h>

#define START_SLOTS 1024

void locs_init(struct locs *l)
{
	*l = (struct locs){.slot_count = START_SLOTS};
	l->slots = xcalloc(START_SLOTS, sizeof(*l->slots));
}

void locs_fini(struct locs *l)
{
	for (size_t i = 0; i < l->objects.count; i++)
		vec_free(&l->objects.items[i].cells);
	vec_free(&l->objects);
	vec_free(&l->all);
	free(l->slots);
}

struct object *locs_object(struct locs *l, enum object_kind kind, LLVMValueRef value,
			   uint32_t *number)
{
	struct object o = {.kind = kind, .value = value, .thread = LOC_NO_THREAD};

	*number = (uint32_t)l->objects.count;
	vec_push(&l->objects, o);
	return &vec_last(&l->objects);
}

static size_t slot_of(const struct locs *l, const struct loc *x)
{
	uint64_t h = x->object * UINT64_C(0x9e3779b97f4a7c15);

	h = (h ^ (uint64_t)x->offset) * UINT64_C(0xff51afd7ed558ccd);
	h = (h ^ x->stride ^ h >> 29) * UINT64_C(0xc4ceb9fe1a85ec53);
	return (size_t)(h >> 20) & (l->slot_count - 1);
}

/* The slot that holds it, or the free one where it belongs. */
static size_t find(const struct locs *l, const struct loc *x)
{
	size_t at = slot_of(l, x);

	for (; l->slots[at]; at = (at + 1) & (l->slot_count - 1)) {
		const struct loc *y = &l->all.items[l->slots[at] - 1];

		if (x->object == y->object && x->offset == y->offset && x->stride == y->stride)
			break;
	}
	return at;
}

static void grow(struct locs *l)
{
	l->slot_count *= 2;
	free(l->slots);
	l->slots = xcalloc(l->slot_count, sizeof(*l->slots));
	for (uint32_t i = 0; i < l->all.count; i++)
		l->slots[find(l, &l->all.items[i])] = i + 1;
}

static int64_t below(int64_t offset, uint32_t stride)
{
	int64_t rest = stride ? offset % (int64_t)stride : offset;

	return stride && rest < 0 ? rest + (int64_t)stride : rest;
}

uint32_t locs_get(struct locs *l, uint32_t object, int64_t offset, uint32_t stride)
{
	struct loc x = {object, stride, below(offset, stride)};
	size_t at = find(l, &x);

	assert(object < l->objects.count);
	if (l->slots[at])
		return l->slots[at] - 1;
	vec_push(&l->all, x);
	l->slots[at] = (uint32_t)l->all.count;
	if (l->all.count * 2 > l->slot_count)
		grow(l);
	return (uint32_t)l->all.count - 1;
}

static uint32_t divisor(uint64_t a, uint64_t b)
{
	while (b) {
		uint64_t rest = a % b;

		a = b;
		b = rest;
	}
	return a > UINT32_MAX ? 1 : (uint32_t)a;
}

/* Objects of which a pointer never leaves one for another. */
static bool is_bounded(const struct object *o)
{
	return o->size && (o->kind == OBJECT_GLOBAL || o->kind == OBJECT_STACK ||
			   o->kind == OBJECT_TLS || o->kind == OBJECT_HEAP);
}

uint32_t locs_add(struct locs *l, uint32_t loc, int64_t bytes, uint32_t stride)
{
	struct loc x = l->all.items[loc];
	const struct object *o = &l->objects.items[x.object];

	if (o->kind == OBJECT_UNKNOWN || o->kind == OBJECT_FUNCTION || o->kind == OBJECT_THREAD)
		return loc;
	x.stride = divisor(x.stride, stride);
	x.offset += bytes;
	/* One stride covers the object: it is not moved through. */
	if (!x.stride && is_bounded(o) && (x.offset < 0 || (uint64_t)x.offset > o->size))
		return LOC_NONE;
	return locs_get(l, x.object, x.offset, x.stride);
}

uint32_t locs_widen(struct locs *l, uint32_t a, uint32_t b)
{
	struct loc x = l->all.items[a], y = l->all.items[b];
	int64_t apart = x.offset - y.offset;
	uint32_t stride =
		divisor(divisor(x.stride, y.stride), (uint64_t)(apart < 0 ? -apart : apart));

	assert(x.object == y.object);
	return a == b ? a : locs_get(l, x.object, x.offset, stride);
}

bool locs_meet(const struct locs *l, uint32_t a, uint64_t a_bytes, uint32_t b, uint64_t b_bytes)
{
	const struct loc *x = &l->all.items[a], *y = &l->all.items[b];
	int64_t apart = x->offset - y->offset; /* of x behind y */
	uint32_t step = divisor(x->stride, y->stride);
	int64_t rest;

	if (x->object != y->object)
		return false;
	if (step == 0)
		return (!b_bytes || apart < (int64_t)b_bytes) &&
		       (!a_bytes || -apart < (int64_t)a_bytes);
	if (!a_bytes || !b_bytes || a_bytes + b_bytes > step)
		return true;
	rest = below(apart, step);
	return rest < (int64_t)b_bytes || (int64_t)step - rest < (int64_t)a_bytes;
}
