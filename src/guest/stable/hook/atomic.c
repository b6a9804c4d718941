/*
 * Atomic operations of code built with heddle cc --flavor=stable: each stands between two calls,
 * and has the turn meanwhile.  So their order is part of the schedule, like that of locks; inside a
 * critical section they belong to its turn.
 *
 * A thread that looks at the same word from the same place again and again and finds it as it was
 * waits for others: it is passed over for a number of rounds, counted, more from time to time.
 */
#include "guest/stable/hook/atomic.h"

#include "guest/stable/hook/hook.h"
#include "guest/stable/sched/policy.h"
#include "heddle/stable.h"

#define WORDS 65536 /* addresses that are remembered; a power of two */
#define PROBES 16
#define PATIENCE 8 /* looks in vain, in a row, that are turns of their own */
#define ROUNDS_MAX 64

static uintptr_t words[WORDS];

static uint32_t slot_of(uintptr_t word, uint32_t n)
{
	return (uint32_t)(((word >> 2) * UINT64_C(0x9e3779b97f4a7c15)) >> 48) + n;
}

/* With the turn.  A word that finds no room is one we know nothing of. */
static void remember(uintptr_t word)
{
	for (uint32_t n = 0; n < PROBES; n++) {
		uintptr_t *at = &words[slot_of(word, n) % WORDS];
		if (*at == word)
			return;
		if (!*at) {
			*at = word;
			return;
		}
	}
}

bool atomic_is_ordered(const void *addr)
{
	uintptr_t word = (uintptr_t)addr & ~(uintptr_t)3;
	for (uint32_t n = 0; n < PROBES; n++) {
		if (words[slot_of(word, n) % WORDS] == word)
			return true;
	}
	return false;
}

/* Some bytes of it, which are all in one piece of memory. */
static uint32_t value_of(const void *addr)
{
	uintptr_t word = (uintptr_t)addr & ~(uintptr_t)3;
	return __atomic_load_n((const uint32_t *)word, __ATOMIC_RELAXED);
}

HOOK_EXPORT void heddle_stable_atomic_begin(void *addr)
{
	struct sched_thread *t = sched_self;
	if (t && t->atomic.depth) {
		/* A signal handler between the two calls. */
		t->atomic.depth++;
		return;
	}
	uintptr_t before = t ? t->pc[0] : 0;
	t = hook_begin(HOOK_CALLER, STABLE_OP_ATOMIC);
	if (!t)
		return;
	t->atomic.depth = 1;
	if (before != t->pc[0] || t->atomic.addr != addr)
		t->atomic.vain = 0;
	t->atomic.addr = addr;
	t->atomic.value = value_of(addr);
	remember((uintptr_t)addr & ~(uintptr_t)3);
}

/* It found what it had found before. */
static void wait_for_others(struct sched_thread *t)
{
	if (++t->atomic.vain < PATIENCE || sched_policy->open || sched_policy->serial)
		return;
	uint32_t rounds = t->atomic.vain / PATIENCE;
	sched_yield_turn(t);
	sched_defer(t, rounds < ROUNDS_MAX ? rounds : ROUNDS_MAX);
}

HOOK_EXPORT void heddle_stable_atomic_end(void *addr)
{
	struct sched_thread *t = sched_self;
	if (!t || !t->atomic.depth || --t->atomic.depth > 0)
		return;
	hook_log(t, STABLE_OP_ATOMIC, addr, 0, 0);
	if (value_of(addr) == t->atomic.value)
		wait_for_others(t);
	else
		t->atomic.vain = 0;
	hook_end(t);
}
