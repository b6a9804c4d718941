#include "symex/machine/sharing.h"

#include <assert.h>
#include <string.h>

#include "base/mem.h"

#define WORD 8
#define NEVER UINT32_MAX

/* Accesses to one byte: tix; first is NEVER when there are none. */
struct span {
	uint32_t first, last;
};

/* A thread's accesses to one word between two of its creations and joins. */
struct touch {
	uint64_t word;
	uint32_t thread, epoch;
	struct span bytes[WORD];
	uint8_t written; /* bytes, as bits */
	uint32_t next;	 /* + 1, of the same word */
};

struct fork_record {
	uint32_t parent, tix;
	uint32_t epoch; /* creations and joins the thread has made so far */
};

struct join_record {
	uint32_t thread, joined, tix;
};

/* Numbers other than 0 by word. */
struct word_table {
	uint64_t *words;
	uint32_t *values; /* 0: the place is free */
	size_t capacity, used;
};

struct sharing {
	VEC(struct touch) touches;
	struct word_table heads;  /* touch + 1, the newest of the word */
	struct word_table shared; /* the word's bytes that are shared, as bits */
	VEC(struct fork_record) forks; /* by thread */
	VEC(struct join_record) joins;
};

static void table_init(struct word_table *t, size_t capacity)
{
	assert(capacity && !(capacity & (capacity - 1)));
	*t = (struct word_table){.capacity = capacity};
	t->words = xcalloc(capacity, sizeof(*t->words));
	t->values = xcalloc(capacity, sizeof(*t->values));
}

static void table_fini(struct word_table *t)
{
	free(t->words);
	free(t->values);
}

static size_t slot_of(const struct word_table *t, uint64_t word)
{
	size_t at = (size_t)(word * UINT64_C(0x9e3779b97f4a7c15) >> 20) & (t->capacity - 1);

	while (t->values[at] && t->words[at] != word)
		at = (at + 1) & (t->capacity - 1);
	return at;
}

static uint32_t table_get(const struct word_table *t, uint64_t word)
{
	return t->values[slot_of(t, word)];
}

static void table_put(struct word_table *t, uint64_t word, uint32_t value)
{
	struct word_table old;
	size_t at = slot_of(t, word);

	assert(value);
	t->used += !t->values[at];
	t->words[at] = word;
	t->values[at] = value;
	if (t->used * 2 <= t->capacity)
		return;
	old = *t;
	table_init(t, old.capacity * 2);
	for (size_t i = 0; i < old.capacity; i++)
		if (old.values[i])
			table_put(t, old.words[i], old.values[i]);
	assert(t->used == old.used);
	table_fini(&old);
}

struct sharing *sharing_new(void)
{
	struct sharing *s = xcalloc(1, sizeof(*s));

	table_init(&s->heads, 1024);
	table_init(&s->shared, 256);
	return s;
}

void sharing_free(struct sharing *s)
{
	if (!s)
		return;
	vec_free(&s->touches);
	vec_free(&s->forks);
	vec_free(&s->joins);
	table_fini(&s->heads);
	table_fini(&s->shared);
	free(s);
}

void sharing_begin(struct sharing *s)
{
	memset(s->heads.values, 0, s->heads.capacity * sizeof(*s->heads.values));
	s->heads.used = 0;
	vec_clear(&s->touches);
	vec_clear(&s->forks);
	vec_clear(&s->joins);
}

void sharing_fork(struct sharing *s, uint32_t thread, uint32_t parent, uint32_t tix)
{
	struct fork_record f = {parent, tix, 0};

	assert(thread == s->forks.count);
	vec_push(&s->forks, f);
	if (parent < thread)
		s->forks.items[parent].epoch++;
}

void sharing_join(struct sharing *s, uint32_t thread, uint32_t joined, uint32_t tix)
{
	struct join_record j = {thread, joined, tix};

	vec_push(&s->joins, j);
	s->forks.items[thread].epoch++;
}

static struct touch *touch_of(struct sharing *s, uint64_t word, uint32_t thread)
{
	uint32_t head = table_get(&s->heads, word);
	struct touch fresh = {
		.word = word, .thread = thread, .epoch = s->forks.items[thread].epoch};

	for (uint32_t i = head; i; i = s->touches.items[i - 1].next)
		if (s->touches.items[i - 1].thread == thread &&
		    s->touches.items[i - 1].epoch == fresh.epoch)
			return &s->touches.items[i - 1];
	for (unsigned i = 0; i < WORD; i++)
		fresh.bytes[i].first = NEVER;
	fresh.next = head;
	vec_push(&s->touches, fresh);
	table_put(&s->heads, word, (uint32_t)s->touches.count);
	return &vec_last(&s->touches);
}

/* Those bytes of a word that are in the range, as bits. */
static uint8_t bytes_in(uint64_t word, uint64_t addr, uint64_t bytes)
{
	uint64_t from = word * WORD > addr ? word * WORD : addr;
	uint64_t to = addr + bytes < (word + 1) * WORD ? addr + bytes : (word + 1) * WORD;

	return (uint8_t)(((1u << (to - from)) - 1) << from % WORD);
}

void sharing_touch(struct sharing *s, uint32_t thread, uint32_t tix, uint64_t addr, uint64_t bytes,
		   bool write)
{
	for (uint64_t w = addr / WORD; bytes && w <= (addr + bytes - 1) / WORD; w++) {
		struct touch *t = touch_of(s, w, thread);
		uint8_t mask = bytes_in(w, addr, bytes);

		t->written |= write ? mask : 0;
		for (unsigned i = 0; i < WORD; i++) {
			struct span *b = &t->bytes[i];

			if (!(mask >> i & 1))
				continue;
			b->first = tix < b->first ? tix : b->first;
			b->last = tix;
		}
	}
}

/* ---- shared words ---- */

/* True when that is new. */
static bool add_shared(struct sharing *s, uint64_t word, uint8_t mask)
{
	uint32_t before = table_get(&s->shared, word);

	if (mask & ~before)
		table_put(&s->shared, word, before | mask);
	return mask & ~before;
}

bool sharing_is(const struct sharing *s, uint64_t addr, uint64_t bytes)
{
	for (uint64_t w = addr / WORD; bytes && w <= (addr + bytes - 1) / WORD; w++)
		if (table_get(&s->shared, w) & bytes_in(w, addr, bytes))
			return true;
	return false;
}

/* ---- order ---- */

/* Event `tix' of thread a is before thread b begins. */
static bool before_begin(const struct sharing *s, uint32_t a, uint32_t tix, uint32_t b)
{
	while (b < s->forks.count) {
		struct fork_record f = s->forks.items[b];

		if (f.parent == a)
			return tix <= f.tix;
		b = f.parent;
	}
	return false;
}

/* All of thread b is over when thread a has done `tix' events. */
static bool after_end(const struct sharing *s, uint32_t a, uint32_t tix, uint32_t b)
{
	for (size_t i = 0; i < s->joins.count; i++) {
		struct join_record j = s->joins.items[i];

		if (j.joined != b)
			continue;
		if (j.thread == a && j.tix <= tix)
			return true;
		/* Who joined it was joined in turn, or began the other one afterwards. */
		if (j.thread != a &&
		    (after_end(s, a, tix, j.thread) || before_begin(s, j.thread, j.tix, a)))
			return true;
	}
	return false;
}

/* All accesses of the one are ordered against all of the other. */
static bool ordered(const struct sharing *s, const struct touch *x, const struct touch *y,
		    unsigned i)
{
	if (before_begin(s, x->thread, x->bytes[i].last, y->thread) ||
	    before_begin(s, y->thread, y->bytes[i].last, x->thread))
		return true;
	return after_end(s, x->thread, x->bytes[i].first, y->thread) ||
	       after_end(s, y->thread, y->bytes[i].first, x->thread);
}

/* Bytes that both touched, one of them writing, at any time. */
static uint8_t conflicts(const struct sharing *s, const struct touch *x, const struct touch *y)
{
	uint8_t found = 0;

	if (x->thread == y->thread)
		return 0;
	for (unsigned i = 0; i < WORD; i++)
		if (((x->written | y->written) >> i & 1) && x->bytes[i].first != NEVER &&
		    y->bytes[i].first != NEVER && !ordered(s, x, y, i))
			found |= (uint8_t)(1u << i);
	return found;
}

bool sharing_end(struct sharing *s)
{
	bool found = false;

	for (size_t at = 0; at < s->heads.capacity; at++) {
		uint8_t shared = 0;

		for (uint32_t i = s->heads.values[at]; i && shared != 0xff;
		     i = s->touches.items[i - 1].next)
			for (uint32_t j = s->touches.items[i - 1].next; j && shared != 0xff;
			     j = s->touches.items[j - 1].next)
				shared |= conflicts(s, &s->touches.items[i - 1],
						    &s->touches.items[j - 1]);
		if (shared)
			found |= add_shared(s, s->heads.words[at], shared);
	}
	return found;
}
