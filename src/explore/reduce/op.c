#include "explore/reduce/op.h"

#include <assert.h>
#include <stddef.h>

static const char *const words[REDUCE_KINDS] = {
#define X(NAME, text) text,
#include "wire/nested_ops.def"
#undef X
};

const char *reduce_word(unsigned kind)
{
	return kind < REDUCE_KINDS ? words[kind] : "?";
}

/* Whether o leaves its first object (of two: the condition) as it was. */
static bool only_looks(const struct reduce_op *o)
{
	switch (o->kind) {
	case REDUCE_READ:
	case REDUCE_RDLOCK:
	case REDUCE_COND_WAKE:
	case REDUCE_LEAVE:
	case REDUCE_LOOK:
	case REDUCE_JOIN:
		return true;
	default:
		return false;
	}
}

/* How o touches an object: 0 not at all, 1 it looks, 2 it changes it. */
static int touches(const struct reduce_op *o, uint64_t object)
{
	assert(object != 0);
	if (o->object == object)
		return only_looks(o) ? 1 : 2;
	return o->second == object ? 2 : 0;
}

static bool meet_at(const struct reduce_op *a, const struct reduce_op *b, uint64_t object)
{
	int how_a = object ? touches(a, object) : 0;
	int how_b = object ? touches(b, object) : 0;

	return how_a && how_b && how_a + how_b > 2;
}

bool reduce_dependent(const struct reduce_op *a, const struct reduce_op *b)
{
	assert(a->thread != b->thread);
	if (a->kind == REDUCE_EXIT || b->kind == REDUCE_EXIT)
		return true;
	if (a->begins == b->thread + 1 || b->begins == a->thread + 1)
		return true;
	return meet_at(a, b, a->object) || meet_at(a, b, a->second);
}

bool reduce_acquires(const struct reduce_op *o)
{
	return o->kind == REDUCE_LOCK;
}

bool reduce_coenabled(const struct reduce_op *earlier, const struct reduce_op *later)
{
	/* Nobody else can take what is held, and only the holder releases it. */
	if (earlier->kind == REDUCE_UNLOCK)
		return later->kind != REDUCE_LOCK;
	if (later->kind == REDUCE_UNLOCK)
		return earlier->kind != REDUCE_LOCK;
	if (earlier->begins == later->thread + 1)
		return false;
	return !(earlier->kind == REDUCE_END && later->kind == REDUCE_JOIN);
}

bool reduce_covers_older(const struct reduce_op *earlier, const struct reduce_op *o)
{
	if (o->second || earlier->kind == REDUCE_EXIT || o->kind == REDUCE_EXIT)
		return false;
	return o->object && touches(earlier, o->object) == 2;
}

bool reduce_same(const struct reduce_op *a, const struct reduce_op *b)
{
	return a->thread == b->thread && a->kind == b->kind && a->begins == b->begins &&
	       a->object == b->object && a->second == b->second && a->arg == b->arg;
}
