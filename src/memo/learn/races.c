#include "memo/learn/races.h"

#include <assert.h>
#include <string.h>

#define WORD 8u

/* Accesses of one word of memory: which of its bytes, when, by whom. */
struct touch {
	const struct follow_access *access;
	uint32_t next; /* in the same bucket; 0 ends */
	uint8_t bytes; /* a bit each */
};

struct table {
	uint64_t *words; /* 0: free */
	uint32_t *first;
	size_t room, used;
	VEC(struct touch) touches;
};

static size_t place(const struct table *t, uint64_t word)
{
	size_t i = (size_t)((word * UINT64_C(0x9e3779b97f4a7c15)) >> 20) & (t->room - 1);

	while (t->words[i] && t->words[i] != word)
		i = (i + 1) & (t->room - 1);
	return i;
}

static void grow(struct table *t)
{
	struct table old = *t;

	t->room = old.room ? old.room * 2 : 4096;
	t->words = xcalloc(t->room, sizeof(*t->words));
	t->first = xcalloc(t->room, sizeof(*t->first));
	for (size_t i = 0; i < old.room; i++)
		if (old.words[i]) {
			size_t at = place(t, old.words[i]);

			t->words[at] = old.words[i];
			t->first[at] = old.first[i];
		}
	free(old.words);
	free(old.first);
}

static bool concurrent(const struct follow_access *a, const struct follow_access *b)
{
	return a->thread != b->thread && a->from < b->to && b->from < a->to;
}

/* Ordered by the schedule, and followed the other way round: values were not what they are. */
static bool is_crossed(const struct follow_access *a, const struct follow_access *b)
{
	if (a->thread == b->thread)
		return false;
	return a->to <= b->from ? a->followed > b->followed : b->followed > a->followed;
}

static bool same_pair(const struct race *r, const struct race *x)
{
	return r->a.thread == x->a.thread && r->b.thread == x->b.thread && r->a.from == x->a.from &&
	       r->b.from == x->b.from;
}

static void order(const struct follow_access *a, const struct follow_access *b, uint32_t *holds,
		  uint32_t operations, struct races *out)
{
	bool swap = b->to < a->to;
	struct race r = {swap ? *b : *a, swap ? *a : *b};

	if (r.a.to == r.b.to) {
		/* Positions belong to one thread each: both ends are the end of all. */
		assert(r.a.to == FOLLOW_END);
		if (out->left.count < 100)
			vec_push(&out->left, r);
		return;
	}
	/* Before its first operation a thread is not held; only main has anything there. */
	if (r.b.from == 0) {
		if (out->left.count < 100)
			vec_push(&out->left, r);
		return;
	}
	out->crossed |= r.a.followed > r.b.followed;
	assert(r.b.from <= operations && r.a.to > r.b.from);
	if (holds[r.b.from - 1] < r.a.to)
		holds[r.b.from - 1] = r.a.to;
	for (size_t i = 0; i < out->ordered.count; i++)
		if (same_pair(&out->ordered.items[i], &r))
			return;
	if (out->ordered.count < 10000)
		vec_push(&out->ordered, r);
}

static void found(const struct follow_access *a, const struct follow_access *b, uint32_t *holds,
		  uint32_t operations, struct races *out)
{
	/* What other inputs might do there they must not: see between.h. */
	if (a->between)
		vec_push(&out->possible, a->between);
	if (b->between)
		vec_push(&out->possible, b->between);
	if (a->between || b->between)
		return;
	order(a, b, holds, operations, out);
}

static bool covers(const struct touch *t, const struct follow_access *a, uint8_t bytes)
{
	return t->access->thread == a->thread && t->access->from == a->from &&
	       t->access->to == a->to && t->access->between == a->between &&
	       t->access->write >= a->write && (t->bytes & bytes) == bytes;
}

static void touch(struct table *t, const struct follow_access *a, uint64_t word, uint8_t bytes,
		  uint32_t *holds, uint32_t operations, struct races *out)
{
	struct touch new = {.access = a, .bytes = bytes};
	size_t at;

	if (2 * (t->used + 1) > t->room)
		grow(t);
	at = place(t, word + 1);
	t->used += !t->words[at];
	t->words[at] = word + 1;
	for (uint32_t i = t->first[at]; i; i = t->touches.items[i - 1].next) {
		const struct touch *x = &t->touches.items[i - 1];

		if (covers(x, a, bytes))
			return;
		if (!(x->bytes & bytes) || !(x->access->write || a->write))
			continue;
		if (concurrent(x->access, a))
			found(x->access, a, holds, operations, out);
		else
			out->crossed |= is_crossed(x->access, a);
	}
	new.next = t->first[at];
	vec_push(&t->touches, new);
	t->first[at] = (uint32_t)t->touches.count;
}

void races_find(const struct follow_access *accesses, size_t count, uint32_t *holds,
		uint32_t operations, struct races *out)
{
	struct table t = {0};

	memset(out, 0, sizeof(*out));
	for (size_t i = 0; i < count; i++) {
		const struct follow_access *a = &accesses[i];
		uint64_t end = a->addr + a->bytes;

		for (uint64_t at = a->addr; at < end;) {
			uint64_t word = at / WORD;
			uint64_t stop = (word + 1) * WORD < end ? (word + 1) * WORD : end;
			uint8_t bytes = (uint8_t)(((1u << (stop - at)) - 1) << (at % WORD));

			touch(&t, a, word, bytes, holds, operations, out);
			at = stop;
		}
	}
	free(t.words);
	free(t.first);
	vec_free(&t.touches);
}

void races_free(struct races *r)
{
	vec_free(&r->ordered);
	vec_free(&r->left);
	vec_free(&r->possible);
}
