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

struct sharing {
	VEC(struct touch) touches;
	uint32_t *heads; /* hash of words -> touch + 1 */
	uint64_t *words; /* the word each head is of */
	size_t capacity, used;
	uint64_t *shared; /* hash set of words + 1 */
	uint8_t *mask;	  /* their bytes that are shared, as bits */
	size_t shared_capacity, shared_count;
	VEC(struct fork_record) forks; /* by thread */
	VEC(struct join_record) joins;
};

struct sharing *sharing_new(void)
{
	struct sharing *s = xcalloc(1, sizeof(*s));

	s->capacity = 1024;
	s->heads = xcalloc(s->capacity, sizeof(*s->heads));
	s->words = xcalloc(s->capacity, sizeof(*s->words));
	s->shared_capacity = 256;
	s->shared = xcalloc(s->shared_capacity, sizeof(*s->shared));
	s->mask = xcalloc(s->shared_capacity, sizeof(*s->mask));
	return s;
}

void sharing_free(struct sharing *s)
{
	if (!s)
		return;
	vec_free(&s->touches);
	vec_free(&s->forks);
	vec_free(&s->joins);
	free(s->heads);
	free(s->words);
	free(s->shared);
	free(s->mask);
	free(s);
}

void sharing_begin(struct sharing *s)
{
	memset(s->heads, 0, s->capacity * sizeof(*s->heads));
	s->used = 0;
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

static size_t hash(uint64_t word)
{
	return (size_t)(word * UINT64_C(0x9e3779b97f4a7c15) >> 20);
}

static size_t head_slot(const struct sharing *s, uint64_t word)
{
	size_t at = hash(word) & (s->capacity - 1);

	while (s->heads[at] && s->words[at] != word)
		at = (at + 1) & (s->capacity - 1);
	return at;
}

static void grow(struct sharing *s)
{
	uint32_t *heads = s->heads;
	uint64_t *words = s->words;
	size_t n = s->capacity;

	s->capacity *= 2;
	s->heads = xcalloc(s->capacity, sizeof(*s->heads));
	s->words = xcalloc(s->capacity, sizeof(*s->words));
	for (size_t i = 0; i < n; i++)
		if (heads[i]) {
			size_t at = head_slot(s, words[i]);

			s->heads[at] = heads[i];
			s->words[at] = words[i];
		}
	free(heads);
	free(words);
}

static struct touch *touch_of(struct sharing *s, uint64_t word, uint32_t thread)
{
	size_t at = head_slot(s, word);
	struct touch fresh = {
		.word = word, .thread = thread, .epoch = s->forks.items[thread].epoch};

	for (uint32_t i = s->heads[at]; i; i = s->touches.items[i - 1].next)
		if (s->touches.items[i - 1].thread == thread &&
		    s->touches.items[i - 1].epoch == fresh.epoch)
			return &s->touches.items[i - 1];
	for (unsigned i = 0; i < WORD; i++)
		fresh.bytes[i].first = NEVER;
	fresh.next = s->heads[at];
	vec_push(&s->touches, fresh);
	if (!s->heads[at])
		s->used++;
	s->heads[at] = (uint32_t)s->touches.count;
	s->words[at] = word;
	if (s->used * 2 > s->capacity)
		grow(s);
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

static size_t shared_slot(const struct sharing *s, uint64_t word)
{
	size_t at = hash(word) & (s->shared_capacity - 1);

	while (s->shared[at] && s->shared[at] != word + 1)
		at = (at + 1) & (s->shared_capacity - 1);
	return at;
}

static void grow_shared(struct sharing *s)
{
	uint64_t *old = s->shared;
	uint8_t *mask = s->mask;
	size_t n = s->shared_capacity;

	s->shared_capacity *= 2;
	s->shared = xcalloc(s->shared_capacity, sizeof(*s->shared));
	s->mask = xcalloc(s->shared_capacity, sizeof(*s->mask));
	for (size_t i = 0; i < n; i++)
		if (old[i]) {
			size_t at = shared_slot(s, old[i] - 1);

			s->shared[at] = old[i];
			s->mask[at] = mask[i];
		}
	free(old);
	free(mask);
}

/* True when that is new. */
static bool add_shared(struct sharing *s, uint64_t word, uint8_t mask)
{
	size_t at = shared_slot(s, word);
	bool fresh = mask & ~s->mask[at];

	assert(mask);
	s->shared_count += !s->shared[at];
	s->shared[at] = word + 1;
	s->mask[at] |= mask;
	if (s->shared_count * 2 > s->shared_capacity)
		grow_shared(s);
	return fresh;
}

bool sharing_is(const struct sharing *s, uint64_t addr, uint64_t bytes)
{
	for (uint64_t w = addr / WORD; bytes && w <= (addr + bytes - 1) / WORD; w++)
		if (s->mask[shared_slot(s, w)] & bytes_in(w, addr, bytes))
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

	for (size_t at = 0; at < s->capacity; at++) {
		uint8_t shared = 0;

		for (uint32_t i = s->heads[at]; i && shared != 0xff;
		     i = s->touches.items[i - 1].next)
			for (uint32_t j = s->touches.items[i - 1].next; j && shared != 0xff;
			     j = s->touches.items[j - 1].next)
				shared |= conflicts(s, &s->touches.items[i - 1],
						    &s->touches.items[j - 1]);
		if (shared)
			found |= add_shared(s, s->words[at], shared);
	}
	return found;
}
