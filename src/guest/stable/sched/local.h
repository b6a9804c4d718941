/*
 * Locks that belong to a thread (policy "local").
 *
 * Idea.  What must be ordered are operations of different threads on the same object.  A mutex that
 * one thread has taken several times in a row becomes its own: it locks and unlocks it without the
 * turn, and each release counts as one turn used ahead (sched.h).  Another thread that wants the
 * mutex asks for it, with the turn, and waits; the owner gives it up at its own next turn, or has
 * already done so in effect when it is blocked or outside.  Then the mutex is ordered by turns
 * again, and a new owner needs a longer row of its own.
 *
 * Why the schedule stays the same in every run: only the owner's own thread, at its turns, or
 * somebody with the turn while the owner stands still, takes a mutex from its owner.  So which
 * operations of a thread are local is decided by turns alone, and between two turns nothing
 * changes.  A thread takes a turn after at most local_limit such operations, so that whoever asks
 * waits for a bounded number of them; the limit follows what was asked for, never the clock.  At
 * most half of them count as turns used ahead: a thread with many locks of its own must not have to
 * wait for as many turns of others when it next needs one.
 *
 * The locks of what threads share unseen (world/state.h) are eager: short uses in a row are the rule
 * there, also when several threads have them, and a hand-over for each would cost a hundred times the
 * use.  Such a lock goes from thread to thread after a number of uses.
 *
 * The state lives in the mutex itself, in the links that only robust mutexes use: a mutex made anew
 * at an old address (by initialiser, constructor or memset) starts anew, whatever the allocator
 * did.  Robust, shared and priority mutexes are never local.
 *
 * Invariants.
 *  - owner is set to a thread by that thread with the turn; cleared by it with the turn, or by the
 *    holder while that thread is not in the run queue.
 *  - nobody waits for an owned mutex except threads in the owner's wanted_by list.
 */
#ifndef HEDDLE_RT_STABLE_LOCAL_H
#define HEDDLE_RT_STABLE_LOCAL_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include "guest/stable/sched/sched.h"

#define LOCAL_LIMIT_MIN 16
#define LOCAL_LIMIT_MAX 1024
#define LOCAL_BARRED UINT32_MAX /* as local_run: nothing without the turn until the next one */

struct local_state {
	uint32_t owner, last; /* thread id + 1; 0 = nobody */
	uint16_t row;	      /* times that last took it in a row, with the turn */
	uint16_t lost;	      /* times an owner had to give it up */
	uint8_t counted;      /* locked with the turn: counts in sched_thread.keep.held */
	uint8_t eager;	      /* whoever takes it owns it at once, also while others wait */
	uint8_t unused[2];
};

/* An operation done without the turn, until the next turn writes it to the log. */
struct local_entry {
	void *addr;
	uintptr_t pc;
	uint16_t op, res;
};

static inline struct local_state *local_of(pthread_mutex_t *m)
{
	return (struct local_state *)&m->__data.__list;
}

/* No robust, shared or priority mutex; elision bits do not matter. */
static inline bool local_fits(const pthread_mutex_t *m)
{
	return (m->__data.__kind & ~0x303) == 0;
}

/* The caller may go on without the turn: it is in the schedule and has operations left. */
static inline bool local_ready(const struct sched_thread *t)
{
	return t->local.run < t->local.limit && !t->keep.kept && !t->hold &&
	       sched_state(t) != SCHED_NONDET;
}

static inline bool local_owns(const struct sched_thread *t, pthread_mutex_t *m)
{
	return __atomic_load_n(&local_of(m)->owner, __ATOMIC_RELAXED) == t->tid + 1 &&
	       local_fits(m) && local_ready(t);
}

/*
 * With the turn, which t is about to leave for a fixed number of turns: it runs outside of the run
 * queue meanwhile, where others take its mutexes from it, so its next operation needs a turn.
 */
static inline void local_bar(struct sched_thread *t)
{
	t->local.run = LOCAL_BARRED;
}

/* An operation of t without the turn; releases: it also counts as a turn. */
void local_done(struct sched_thread *t, uint16_t op, void *addr, bool releases);

/*
 * With the turn: true when the mutex may be tried; false when its owner was asked for it, and the
 * caller must wait for a signal on it.
 */
bool local_claim(struct sched_thread *t, pthread_mutex_t *m);
/* With the turn: t took m. */
void local_taken(struct sched_thread *t, pthread_mutex_t *m);
/* With the turn: t no longer waits for a mutex of somebody else. */
void local_withdraw(struct sched_thread *t);
/* With the turn: t gives up every mutex it was asked for. */
void local_give_up(struct sched_thread *t);

void local_init_thread(struct sched_thread *t);
/* At a turn of t that ends a row of operations without it: they go to the log. */
void local_end_run(struct sched_thread *t);

#endif
