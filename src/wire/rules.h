/*
 * What synchronisation does: the transitions of locks, conditions, semaphores, barriers and things
 * that happen once, on plain data.  The guest's scheduler, the machine that thinks executions
 * through and the judge of predicted orders all call these, so that they cannot disagree.  Store
 * buffers: rules_store.h.
 *
 * `who' is a thread number plus one; RULE_NOBODY is nobody.  All zero is a free lock, a semaphore
 * without tokens, a once that has not begun, and a barrier that was never initialised.
 *
 * Each transition asserts that it is allowed; rule_*_ask() says before whether it is:
 *   RULE_GO      now
 *   RULE_WAIT    not before somebody else has done something
 *   RULE_OWN     the asker has it already: what that means depends on the kind of lock
 *   RULE_MISUSE  never: the program must not do that
 *
 * The guest defines RULE_ASSERT before it includes this (guest/check/rules.h).
 */
#ifndef HEDDLE_WIRE_RULES_H
#define HEDDLE_WIRE_RULES_H

#include <stdbool.h>
#include <stdint.h>

#ifndef RULE_ASSERT
#include <assert.h>
#define RULE_ASSERT(x) assert(x)
#endif

#define RULE_NOBODY 0u

enum rule_answer { RULE_GO, RULE_WAIT, RULE_OWN, RULE_MISUSE };

/* ---- mutexes and spin locks ---- */

struct rule_mutex {
	uint32_t owner, depth;
};

static inline void rule_mutex_check(const struct rule_mutex *m)
{
	RULE_ASSERT((m->owner == RULE_NOBODY) == (m->depth == 0));
}

static inline enum rule_answer rule_mutex_ask(const struct rule_mutex *m, uint32_t who)
{
	RULE_ASSERT(who != RULE_NOBODY);
	rule_mutex_check(m);
	if (m->owner == RULE_NOBODY)
		return RULE_GO;
	return m->owner == who ? RULE_OWN : RULE_WAIT;
}

/* Once more when it is a recursive one that who has. */
static inline void rule_mutex_take(struct rule_mutex *m, uint32_t who)
{
	RULE_ASSERT(rule_mutex_ask(m, who) != RULE_WAIT);
	RULE_ASSERT(m->depth < UINT32_MAX);
	m->owner = who;
	m->depth++;
}

static inline enum rule_answer rule_mutex_ask_drop(const struct rule_mutex *m, uint32_t who)
{
	return rule_mutex_ask(m, who) == RULE_OWN ? RULE_GO : RULE_MISUSE;
}

/* Gives up one level; true when the mutex is free now. */
static inline bool rule_mutex_drop(struct rule_mutex *m, uint32_t who)
{
	RULE_ASSERT(rule_mutex_ask_drop(m, who) == RULE_GO);
	if (--m->depth > 0)
		return false;
	m->owner = RULE_NOBODY;
	return true;
}

/* Whether it may be destroyed, or initialised again. */
static inline bool rule_mutex_idle(const struct rule_mutex *m)
{
	rule_mutex_check(m);
	return m->owner == RULE_NOBODY;
}

/*
 * Whether memory may become a lock again while, as far as one knows, `owner' has it: a thread may
 * use its own memory anew without having given the lock back, and so may anybody after its end.
 */
static inline bool rule_lock_may_begin(uint32_t owner, uint32_t who, bool owner_lives)
{
	RULE_ASSERT(who != RULE_NOBODY);
	return owner == RULE_NOBODY || owner == who || !owner_lives;
}

/* ---- readers and writers ---- */

struct rule_rwlock {
	uint32_t writer, readers;
};

/* Whether two holders, each for writing or for reading, keep each other out. */
static inline bool rule_rwlock_excludes(bool write, bool other_writes)
{
	return write || other_writes;
}

static inline enum rule_answer rule_rwlock_ask(const struct rule_rwlock *l, uint32_t who,
					       bool write)
{
	RULE_ASSERT(who != RULE_NOBODY);
	RULE_ASSERT(l->writer == RULE_NOBODY || l->readers == 0);
	if (l->writer == who)
		return RULE_OWN;
	if (l->writer != RULE_NOBODY)
		return RULE_WAIT;
	return l->readers && rule_rwlock_excludes(write, false) ? RULE_WAIT : RULE_GO;
}

static inline void rule_rwlock_take(struct rule_rwlock *l, uint32_t who, bool write)
{
	RULE_ASSERT(rule_rwlock_ask(l, who, write) == RULE_GO);
	if (write)
		l->writer = who;
	else
		l->readers++;
}

/* Who reads is not counted by thread: that the lock is held by readers is all there is to see. */
static inline enum rule_answer rule_rwlock_ask_drop(const struct rule_rwlock *l, uint32_t who)
{
	RULE_ASSERT(who != RULE_NOBODY);
	return l->writer == who || l->readers ? RULE_GO : RULE_MISUSE;
}

static inline void rule_rwlock_drop(struct rule_rwlock *l, uint32_t who)
{
	RULE_ASSERT(rule_rwlock_ask_drop(l, who) == RULE_GO);
	if (l->writer == who)
		l->writer = RULE_NOBODY;
	else
		l->readers--;
}

static inline bool rule_rwlock_idle(const struct rule_rwlock *l)
{
	return l->writer == RULE_NOBODY && l->readers == 0;
}

/* ---- semaphores ---- */

struct rule_sem {
	uint32_t tokens;
};

static inline enum rule_answer rule_sem_ask(const struct rule_sem *s)
{
	return s->tokens ? RULE_GO : RULE_WAIT;
}

static inline void rule_sem_take(struct rule_sem *s)
{
	RULE_ASSERT(rule_sem_ask(s) == RULE_GO);
	s->tokens--;
}

static inline void rule_sem_give(struct rule_sem *s)
{
	RULE_ASSERT(s->tokens < UINT32_MAX);
	s->tokens++;
}

/* at_wait: how many threads stand at a wait for a token.  They sleep only while there is none. */
static inline bool rule_sem_idle(const struct rule_sem *s, uint32_t at_wait)
{
	return s->tokens > 0 || at_wait == 0;
}

/* ---- barriers ---- */

struct rule_barrier {
	uint32_t arrived, limit; /* limit 0: not initialised */
};

static inline enum rule_answer rule_barrier_ask(const struct rule_barrier *b)
{
	RULE_ASSERT(b->limit == 0 || b->arrived < b->limit);
	return b->limit ? RULE_GO : RULE_MISUSE;
}

/* Whether the next to arrive is the last one, who goes on at once. */
static inline bool rule_barrier_completes(const struct rule_barrier *b)
{
	RULE_ASSERT(b->limit == 0 || b->arrived < b->limit);
	return b->arrived + 1 >= b->limit;
}

/* True for the last one: all that wait may leave, and a new round begins. */
static inline bool rule_barrier_arrive(struct rule_barrier *b)
{
	RULE_ASSERT(rule_barrier_ask(b) == RULE_GO);
	if (rule_barrier_completes(b)) {
		b->arrived = 0;
		return true;
	}
	b->arrived++;
	return false;
}

static inline bool rule_barrier_idle(const struct rule_barrier *b)
{
	return b->arrived == 0;
}

/* ---- once ---- */

enum rule_once_state { RULE_ONCE_NEW, RULE_ONCE_RUNNING, RULE_ONCE_DONE };

struct rule_once {
	uint32_t owner, state;
};

static inline enum rule_answer rule_once_ask(const struct rule_once *o)
{
	RULE_ASSERT((o->owner != RULE_NOBODY) == (o->state == RULE_ONCE_RUNNING));
	return o->state == RULE_ONCE_RUNNING ? RULE_WAIT : RULE_GO;
}

/* True when who is to run the initialiser; false when that is done. */
static inline bool rule_once_begin(struct rule_once *o, uint32_t who)
{
	RULE_ASSERT(rule_once_ask(o) == RULE_GO);
	if (o->state == RULE_ONCE_DONE)
		return false;
	*o = (struct rule_once){who, RULE_ONCE_RUNNING};
	return true;
}

/* Not done: the initialiser was left, and the next one begins anew. */
static inline void rule_once_end(struct rule_once *o, bool done)
{
	RULE_ASSERT(o->state == RULE_ONCE_RUNNING);
	*o = (struct rule_once){RULE_NOBODY, done ? RULE_ONCE_DONE : RULE_ONCE_NEW};
}

/* ---- sleepers: conditions and futexes ---- */

#define RULE_ALL UINT32_MAX

/* How many of `asleep' a call wakes that may wake `most': signal 1, broadcast RULE_ALL. */
static inline uint32_t rule_wakes(uint32_t asleep, uint32_t most)
{
	return asleep < most ? asleep : most;
}

/*
 * How many ways there are to choose the next one to wake, with `left' asleep and `wakes' of them
 * still to be woken.  Any sleeper may be chosen, not only the first; waking all leaves no choice.
 */
static inline uint32_t rule_wake_ways(uint32_t left, uint32_t wakes)
{
	RULE_ASSERT(wakes <= left);
	return wakes && wakes < left ? left : 1;
}

/* A futex wait falls asleep only where the word is what its caller expects. */
static inline bool rule_futex_sleeps(uint32_t found, uint32_t expected)
{
	return found == expected;
}

/* Whether a condition may be destroyed, or initialised again. */
static inline bool rule_cond_idle(uint32_t asleep)
{
	return asleep == 0;
}

#endif
