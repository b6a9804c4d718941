/* Soft barriers. */
#include "guest/stable/hints/soba.h"

#include <errno.h>

#include "heddle/stable.h"
#include "guest/stable/conf.h"
#include "guest/stable/hook/hook.h"
#include "guest/stable/msg.h"
#include "guest/stable/sched/pool.h"
#include "guest/stable/sched/policy.h"

#define GROUPS 1024
#define ALIGNED 2 /* times in a row that make a group aligned */
#define SKIP_MIN 8
#define SKIP_MAX 128
#define SKIP_ALL UINT32_MAX

struct soba {
	void *key;
	bool used;
	int size;
	uint64_t timeout, gen, deadline, first;
	int arrived;
	struct sched_thread *waiter; /* first of those that have arrived, linked by soba_next */
	uint32_t aligned, skip;
	bool dissolved; /* nobody need meet here */
	struct stable_soba *stats;
};

/* Insert-only: keys are few.  Order comes from insertion, never from the key's value. */
static struct soba groups[GROUPS];
static int group_count;
static struct stable_soba no_stats;

static struct soba *find(void *key)
{
	for (int i = 0; i < group_count; i++) {
		if (groups[i].key == key && groups[i].used)
			return &groups[i];
	}
	return NULL;
}

static struct soba *create(void *key, uintptr_t site)
{
	struct soba *b = NULL;
	for (int i = 0; i < group_count && !b; i++) {
		if (!groups[i].used)
			b = &groups[i];
	}
	if (!b && group_count == GROUPS)
		return NULL;
	if (!b)
		b = &groups[group_count++];
	*b = (struct soba){.key = key, .used = true, .stats = &no_stats};
	if (ctl->sobas < STABLE_SOBAS) {
		b->stats = &ctl->soba[ctl->sobas];
		b->stats->site = site;
		b->stats->key_ordinal = ctl->sobas++;
	}
	return b;
}

/* The key of a group in the wait queue must not collide with an object of the program. */
static void *place(struct soba *b)
{
	return &b->gen;
}

static void close_generation(struct soba *b)
{
	b->gen++;
	b->arrived = 0;
	b->waiter = NULL;
}

/*
 * A group whose threads come one right after the other every time is aligned without the barrier;
 * with the policy "local" its threads then pass some barriers without a turn, the same number
 * each, and more of them the longer it stays so.
 */
static void adapt(struct soba *b, struct sched_thread *last)
{
	/* A few operations each: they take an item, say. */
	bool close = sched.time - b->first < 4 * (uint64_t)b->size;
	b->aligned = close ? b->aligned + 1 : 0;
	if (!close)
		b->skip = 0;
	if (!sched_policy->local || b->aligned < ALIGNED)
		return;
	last->soba.next = b->waiter;
	for (struct sched_thread *t = last; t; t = t->soba.next) {
		if (t->soba.skip)
			return;
	}
	b->skip = b->skip ? 2 * b->skip : SKIP_MIN;
	if (b->skip > SKIP_MAX)
		b->skip = SKIP_MAX;
	for (struct sched_thread *t = last; t; t = t->soba.next) {
		t->soba.key = b->key;
		t->soba.skip = b->skip;
	}
	b->stats->skipped += (uint64_t)b->size * b->skip;
}

void soba_prepare(void *key, int threads, int timeout, uintptr_t site)
{
	struct soba *b = find(key);
	if (!b)
		b = create(key, site);
	if (!b)
		return;
	if (b->arrived > 0) {
		sched_broadcast(place(b));
		close_generation(b);
	}
	uint64_t length = timeout > 0 ? (uint64_t)timeout : (uint64_t)conf.soba_default;
	bool rounds = conf.soba_unit == CONF_ROUNDS && threads > 1;
	b->size = threads;
	b->timeout = length * (rounds ? (uint64_t)threads : 1);
	b->stats->size = (uint64_t)threads;
}

HOOK_EXPORT void heddle_soba_init(int group_size, void *key, int timeout)
{
	if (!conf.soba)
		return;
	struct sched_thread *t = hook_begin(HOOK_CALLER, STABLE_OP_SOBA_INIT);
	if (!t)
		return;
	soba_prepare(key, group_size, timeout, HOOK_CALLER);
	struct soba *b = find(key);
	hook_log(t, STABLE_OP_SOBA_INIT, b ? place(b) : NULL, 0, (uint32_t)group_size);
	hook_end(t);
}

/* One arrival that does not complete the group. */
static void wait_for_others(struct sched_thread *t, struct soba *b)
{
	if (b->arrived == 1) {
		b->deadline = sched.time + b->timeout;
		b->first = sched.time;
	}
	t->soba.next = b->waiter;
	b->waiter = t;
	uint64_t gen = b->gen;
	int reason = hook_wait(t, STABLE_OP_SOBA_WAIT, place(b), b->deadline - sched.time);
	/* All of a generation expire in one turn; the first to run closes it. */
	if (reason == ETIMEDOUT && b->gen == gen) {
		close_generation(b);
		b->stats->timeouts++;
	}
	hook_log(t, STABLE_OP_SOBA_WAIT, place(b), reason ? (uint16_t)reason : STABLE_RES_RETURN,
		 0);
}

bool soba_skip(struct sched_thread *t, void *key)
{
	if (!t->soba.skip || t->soba.key != key)
		return false;
	if (t->soba.skip != SKIP_ALL)
		t->soba.skip--;
	if (t->keep.kept) {
		/* What comes now takes long, also in a critical section. */
		int bypass = t->bypass;
		t->bypass = 1;
		sched_yield_turn(t);
		sched_put_turn(t);
		t->bypass = bypass;
	}
	return true;
}

/* From now on t does not meet the others. */
static void release_for_good(struct sched_thread *t, struct soba *b)
{
	t->soba.key = b->key;
	t->soba.skip = SKIP_ALL;
	t->work.meets = false;
}

/*
 * All of the group are workers, which nobody waits for while they work (pool.h): they need not
 * begin together, and the barrier would only make them wait for each other.
 */
static void dissolve(struct soba *b, struct sched_thread *last)
{
	last->soba.next = b->waiter;
	for (struct sched_thread *t = last; t; t = t->soba.next) {
		if (!pool_takes_items(t))
			return;
	}
	for (struct sched_thread *t = last; t; t = t->soba.next)
		release_for_good(t, b);
	b->dissolved = true;
}

static void arrive(struct sched_thread *t, struct soba *b)
{
	if (b->arrived > 0 && sched.time >= b->deadline) {
		close_generation(b);
		b->stats->timeouts++;
	}
	if (++b->arrived < b->size) {
		wait_for_others(t, b);
		return;
	}
	b->stats->gather_turns += sched.time - b->first;
	b->stats->full++;
	adapt(b, t);
	if (sched_policy->local)
		dissolve(b, t);
	close_generation(b);
	uint32_t woken = sched_broadcast(place(b));
	hook_log(t, STABLE_OP_SOBA_WAIT, place(b), STABLE_RES_FULL, woken);
}

void soba_arrive(struct sched_thread *t, void *key)
{
	struct soba *b = find(key);
	/* The program itself says where this thread works. */
	t->work.meets = true;
	if (b && b->dissolved)
		release_for_good(t, b);
	else if (b && b->size > 1)
		arrive(t, b);
	sched_yield_turn(t);
}

HOOK_EXPORT void heddle_soba_wait(void *key)
{
	struct sched_thread *t = sched_self;
	if (!conf.soba || !t || soba_skip(t, key))
		return;
	t = hook_begin(HOOK_CALLER, STABLE_OP_SOBA_WAIT);
	if (!t)
		return;
	soba_arrive(t, key);
	hook_end(t);
}

HOOK_EXPORT void heddle_soba_destroy(void *key)
{
	if (!conf.soba)
		return;
	struct sched_thread *t = hook_begin(HOOK_CALLER, STABLE_OP_SOBA_DESTROY);
	if (!t)
		return;
	struct soba *b = find(key);
	if (b) {
		sched_broadcast(place(b));
		hook_log(t, STABLE_OP_SOBA_DESTROY, place(b), 0, 0);
		b->used = false;
	}
	hook_end(t);
}
