/*
 * The scheduler: who may synchronise next.
 *
 * Idea.  Deterministic threads stand in one FIFO run queue; the head has the turn.  Only the holder
 * of the turn executes a synchronisation operation and only it changes the queues, so they need no
 * lock: passing the turn is a release/acquire pair on the word of the next thread.  Everything else
 * a thread does runs in parallel.  Blocked threads stand in a wait queue keyed by address, timed
 * ones also in a heap of logical deadlines.  Logical time counts turns.
 *
 * With the policy "local" a woken thread goes in front of those that may still compute, and a
 * thread may be preferred or deferred for a number of rounds (pool.h).
 *
 * A thread may leave the schedule (a blocking system call, a performance-critical section): it is
 * dropped lazily from the run queue, and returns through a lock-free list that the next holder
 * empties.  When nobody is runnable the turn is free: it lies in that list as a marker, and whoever
 * returns takes it.  Time then flows through the waiter with the earliest deadline, which dozes
 * until that deadline; there is no idle thread in the process, only its role (thread id
 * SCHED_IDLE_TID in counters).
 *
 * An operation that touches nothing another thread could use meanwhile (local.h) is done without
 * the turn, ahead of it: the thread counts it in its word, and whoever passes the turn passes such
 * a thread over, once for each.  The order is the one in which every operation had its turn.
 *
 * Invariants.
 *  - word: state in the low bits, turns used ahead above.  The state is RUN (not granted;
 *    computing, queued or waiting), GRANTED (has the turn, used or not), SLEEP (as RUN, asleep in
 *    the futex), DUTY (as RUN, asked to doze), NONDET (outside).
 *  - turns used ahead are added by the thread itself, moved to owed by the holder; a thread is
 *    granted the turn only when there are none of either.
 *  - RUN -> SLEEP, RUN/DUTY -> NONDET only by the thread itself; -> GRANTED only by the holder.
 *  - in_rq, rq_next, w_*: touched by the holder only.
 *  - nondet counts threads outside; it is raised before a thread leaves, so that an empty queue
 * with nondet == 0 and no deadline is a deadlock.
 *
 * Specification: parrot §3, §4.  Deviations: the idle thread is a role (same turns, same times); a
 * returning thread enters the list when it next needs the turn, not when its system call returns.
 */
#ifndef HEDDLE_RT_STABLE_SCHED_H
#define HEDDLE_RT_STABLE_SCHED_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SCHED_IDLE_TID UINT32_MAX
#define SCHED_NEVER UINT64_MAX

enum sched_word { SCHED_RUN, SCHED_GRANTED, SCHED_SLEEP, SCHED_DUTY, SCHED_NONDET };

#define SCHED_STATE 7u /* of the word; the rest counts turns used ahead */
#define SCHED_AHEAD 8u /* one of them */

struct sched_thread {
	/* First line: what other threads write.  One line for all a hand-off needs. */
	uint32_t word;
	uint32_t dozing;
	uint64_t doze_until;
	struct sched_thread *ra_next, *rq_next;
	uint32_t owed; /* turns used ahead that are still to be passed over */
	bool in_rq, waiting;
	bool favoured; /* stands in front of its turn */
	bool deferred; /* defer > 0; here, so that a hand-off needs no other line */
	bool quiet;    /* wants to enter a section when all are quiet */

	/* Second line: hot, written by this thread. */
	__attribute__((aligned(64))) int bypass; /* > 0: wrappers call the originals (inside the
						    runtime, PCS, ended) */
	int hold; /* > 0: keeps the turn between operations (exit, fork) */
	int pcs_depth;
	int held;  /* locks taken in the schedule and not yet released */
	int batch; /* operations since it last gave the turn away */
	int visit; /* operations since it came back from outside … */
	int stays; /* … and for which it keeps the turn */
	bool away; /* in a call to the outside that waits: takes no processor */
	bool kept; /* has the turn since its last operation, because of the above */
	uint32_t local_run, local_ahead; /* operations and turns ahead since the last turn */
	uint32_t local_limit;
	struct local_entry *local_log;
	uint32_t local_logged;
	uint32_t tid;
	int os_tid;
	int64_t preemptions;
	uint64_t crowd_wait; /* mean wait worth spinning when there are more threads than processors
			      */
	uint32_t long_waits; /* otherwise: waits in a row that were not worth it */
	uint64_t delay_seed;

	/* Waiting. */
	void *w_addr;
	uint64_t w_deadline, w_seq;
	int w_reason;
	uint32_t w_op, w_obj, w_kind;
	struct sched_thread *w_target; /* thread joined */
	bool w_cancellable, w_prepared;
	bool w_interruptible; /* a handled signal ends the wait */
	struct sched_thread *wq_prev, *wq_next;
	size_t heap_at;				     /* 1 + index in the heap, 0 = not there */
	struct sched_thread *wanted_by, *wants_next; /* who waits for objects of this thread */
	void *wants;				     /* object of another thread, see local.h */
	uint64_t pc[12];
	uint32_t pc_count;

	/* Work for others, see pool.h. */
	uint32_t defer;		       /* rounds in which it is passed over */
	uint32_t waker;		       /* id of the thread that signalled it last … */
	bool waker_known, waker_waits; /* … which waits for the same condition itself */
	bool shares;		       /* waits for the same as others of its pool */
	bool item_ends, item_short;
	bool meets; /* at soft barriers */
	uint8_t item_turns, supplies;
	struct pool *pool;
	void *queue, *queue_cond;

	/* Soft barriers this thread need not wait in, see soba.c. */
	void *soba_key;
	uint32_t soba_skip;
	struct sched_thread *soba_next;

	/* Life. */
	pthread_t os;
	bool finished, detached, joining, cancel_pending, cancel_disabled, cancel_async, pcs_timed;
	bool fence_excused; /* its next arrival at a fence is counted already */
	uint32_t pcs_out;   /* deterministic exit: 0 inside, 1 left (futex word) */
	int end_rounds;
	void *(*start)(void *);
	int (*start_c11)(void *); /* instead, for threads of C11 */
	void *arg;
	struct sched_thread *all_next, *free_next, *map_next;
	int64_t base_ns; /* deadlines count from here, when base_set */
	bool base_set;
	struct {
		int64_t ns;  /* last reading of the clock by this thread */
		uint64_t at; /* logical time of the first deadline measured from it */
		bool read, used;
	} clock[2];

	/* Profile. */
	uint64_t p_request, p_granted, p_left;
	uintptr_t p_from;
	uint32_t p_from_op;
	void *omp; /* place in an OpenMP team */
};

#define SCHED_PLACES 256

struct sched {
	/* First line: what the holder of the turn writes. */
	struct sched_thread *head, *tail;
	struct sched_thread *woken; /* last of the woken threads in front, NULL = none */
	uint64_t time, handoffs;
	struct sched_thread **heap;
	size_t heap_count;
	uint32_t waiting; /* threads in the wait queue */
	uint32_t favours; /* threads put in front since another had its turn */
	size_t heap_capacity;
	uint64_t wait_seq, idle_turns;
	uint32_t live, next_tid, peak;
	struct sched_thread *all;
	uint64_t idle_since;
	int cpus;
	bool outside_seen;   /* some thread used originals: PCS, foreign thread, signal handler */
	bool handlers;	     /* the program has installed signal handlers … */
	bool handlers_break; /* … also some that do not restart interrupted calls */
	__attribute__((aligned(64))) struct sched_thread *readmit;
	uint32_t nondet;
	uint32_t awake; /* threads that neither sleep for their turn nor in a call to the outside */
	int64_t fence_left, fence_count;
	uint64_t sleeps;
	/* Waiters by address; read without the turn by those who signal from outside. */
	uint32_t waiting_at[SCHED_PLACES];
};

extern struct sched sched;
extern __thread struct sched_thread *sched_self __attribute__((tls_model("initial-exec")));

static inline uint32_t *sched_waiting_at(void *addr)
{
	uint64_t h = (uint64_t)(uintptr_t)addr * UINT64_C(0x9e3779b97f4a7c15);
	return &sched.waiting_at[h >> 56];
}

/* Makes the calling thread thread 0 with the turn. */
void sched_init(struct sched_thread *main_thread);

/* Blocks until the caller has the turn; logical time advances by one. */
void sched_get_turn(struct sched_thread *t);
/*
 * Gives it to the next in the run queue.  With the policies "batch" and "local" the caller keeps it
 * inside a critical section, for at most SCHED_BATCH_MAX operations: whoever has the turn next
 * would have to wait for that section anyway, and a section is one hand-off instead of two or more.
 */
#define SCHED_BATCH_MAX 32
/*
 * With the policy "local" a thread that comes back from outside keeps the turn until it leaves
 * again, for at most so many operations, if it had many of them the last time: requests of a server
 * are served one after the other, not operation by operation.
 */
#define SCHED_VISIT_MAX 32
#define SCHED_VISIT_DENSE 4
void sched_put_turn(struct sched_thread *t);
/* Before that: the caller computes for long, or wants others to go on, and keeps it in no case. */
static inline void sched_yield_turn(struct sched_thread *t)
{
	t->batch = SCHED_BATCH_MAX;
}
/* As sched_put_turn(), but with the policy "local" the caller keeps it (at most as often). */
void sched_keep_turn(struct sched_thread *t);
/* Without the turn: the caller has done an operation ahead of its turn. */
void sched_use_ahead(struct sched_thread *t);
static inline uint32_t sched_state(const struct sched_thread *t)
{
	return __atomic_load_n(&t->word, __ATOMIC_ACQUIRE) & SCHED_STATE;
}

/*
 * With the turn: waits for a signal on addr, at most turns of logical time (0 = no limit), and has
 * the turn again on return.  0, ETIMEDOUT, ECANCELED or EINTR.
 */
int sched_wait(struct sched_thread *t, void *addr, uint64_t turns);
/*
 * With the turn, before trying an object a last time and waiting for it: true when objects may
 * change outside the schedule, so that the caller must try once more after this call.  Followed by
 * sched_wait() or sched_wait_abandon().
 */
bool sched_wait_prepare(struct sched_thread *t, void *addr);
void sched_wait_abandon(struct sched_thread *t, void *addr);
/* With the turn: makes the first or all waiters of addr runnable; returns how many. */
uint32_t sched_signal(void *addr);
uint32_t sched_broadcast(void *addr);
/* With the turn: wakes one given waiter with a reason. */
void sched_wake(struct sched_thread *t, int reason);

/* With the turn: t is next, unless it has the turn, waits, or too many were put in front: false. */
bool sched_prefer(struct sched_thread *t);
/* With the turn: t is passed over for so many rounds, or until it waits or is preferred. */
void sched_defer(struct sched_thread *t, uint32_t rounds);

/*
 * Leaves the schedule, without the turn; a second call changes nothing.  The thread returns when it
 * next asks for the turn.
 */
void sched_nondet_begin(struct sched_thread *t);
/* The same for a call that will probably wait. */
void sched_nondet_wait(struct sched_thread *t);

/* With the turn: a new thread enters at the tail. */
void sched_add(struct sched_thread *t);
/* With the turn: the caller leaves for good and passes the turn. */
void sched_remove(struct sched_thread *t);
/* With the turn: the caller leaves the run queue until time deadline (deterministic PCS exit). */
void sched_leave_until(struct sched_thread *t, uint64_t deadline);

/* Some thread uses originals from now on. */
static inline void sched_see_outside(void)
{
	if (!__atomic_load_n(&sched.outside_seen, __ATOMIC_RELAXED))
		__atomic_store_n(&sched.outside_seen, true, __ATOMIC_SEQ_CST);
}

/* From outside the schedule: waiters of addr must look again (count < 0: all of them). */
void sched_notify(void *addr, bool all);

/* From a handled signal in its wait: the calling thread t is to be woken with EINTR. */
void sched_interrupt(struct sched_thread *t);

/* In the child of a fork: only t is left, with the turn. */
void sched_fork_child(struct sched_thread *t);

#endif
