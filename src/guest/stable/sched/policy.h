/*
 * Policies: what happens to the turn between two operations.
 *
 * The scheduler (sched.h) has the queues, logical time, and who is outside; a policy says who keeps
 * the turn and for how long, and whether the next one may have it already.  One file per policy with a state,
 * each a struct of the functions below; what a policy does not need is NULL.  All of them decide
 * from the operations of the threads alone.
 *
 *  rr     the turn is passed on after every operation
 *  batch  a critical section is one turn
 *  local  the default: batch, locks that belong to a thread (local.h), workers (pool.h), visits
 *  fence  rounds: nobody begins the next one before all have arrived
 *  serial one thread at a time: also what is done by atomic operations has one order
 *  fcfs   whoever comes first: no determinism, to compare with
 *
 * and beside them that of replay/, which carries out a schedule that was remembered.
 */
#ifndef HEDDLE_STABLE_SCHED_POLICY_H
#define HEDDLE_STABLE_SCHED_POLICY_H

#include "guest/stable/sched/sched.h"

struct sched_policy {
	/* An operation of the holder t is over: it passes the turn, or marks it as kept. */
	void (*put)(struct sched_thread *t);
	/* Whether t keeps the turn between operations that belong together; it is marked then. */
	bool (*keeps)(struct sched_thread *t);
	/* t, in the run queue, asks for its turn. */
	void (*arrive)(struct sched_thread *t);
	/* A thread that stands still in the runtime has come into the run queue. */
	void (*stands)(void);
	/* The turn is to go to the head: whether it may have it now.  If not, somebody's arrival
	 * gives it. */
	bool (*open)(void);
	/* Nobody is in the run queue. */
	void (*empty)(void);
	/* t, with nobody else, begins (has_turn: in the child of a fork, with the turn). */
	void (*begin)(struct sched_thread *t, bool has_turn);
	/* The new thread t enters the run queue. */
	void (*born)(struct sched_thread *t);
	/* t comes back from outside. */
	void (*back)(struct sched_thread *t);
	/* t leaves the run queue for a given time. */
	void (*leaves)(struct sched_thread *t);
	/* t (NULL: a note) has come from outside and waits to be let in; without the turn. */
	void (*returned)(struct sched_thread *t);
	/* t has waited for its turn for long; without the turn. */
	void (*impatient)(struct sched_thread *t);
	bool untimed;	      /* the policy ends waits that have a limit */
	bool leaving_is_turn; /* to leave the schedule takes a turn */
	bool local;	      /* local.h and pool.h are at work, woken threads go in front */
	bool serial;	      /* nobody computes without the turn */
};

extern const struct sched_policy policy_rr, policy_batch, policy_local, policy_fence, policy_fcfs,
	policy_serial;

/* The one in force, and to put the one of the settings in force: before there are threads. */
extern const struct sched_policy *sched_policy;
void policy_choose(void);

/* For policies, with the turn. */

/* The head has left its place, or used its turn: the next one has it. */
void sched_pass_turn(struct sched_thread *self);
/* The holder t goes to the end of the queue and the next one has the turn; not when t is alone. */
void sched_rotate(struct sched_thread *t);
/* Gives the head the turn; for the last arrival of a round, without the turn. */
void sched_offer_head(void);

/*
 * Whether t keeps the turn inside a critical section, for at most SCHED_BATCH_MAX operations:
 * whoever has the turn next would have to wait for that section anyway, and a section is one
 * hand-off instead of two or more.
 */
static inline bool policy_keeps_section(struct sched_thread *t)
{
	return t->keep.held > 0 && ++t->keep.batch < SCHED_BATCH_MAX;
}

#endif
