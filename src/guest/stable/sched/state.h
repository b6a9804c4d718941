/*
 * The thread as the runtime knows it, and the state of the scheduler: plain data, divided by who
 * uses it.  Invariants and idea: sched.h.
 */
#ifndef HEDDLE_STABLE_SCHED_STATE_H
#define HEDDLE_STABLE_SCHED_STATE_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum sched_word { SCHED_RUN, SCHED_GRANTED, SCHED_SLEEP, SCHED_DUTY, SCHED_NONDET };

#define SCHED_STATE 7u /* of the word; the rest counts turns used ahead */
#define SCHED_AHEAD 8u /* one of them */

/* Keeping the turn between operations (policies "batch" and "local"). */
struct sched_keep {
	int held;  /* locks taken in the schedule and not yet released */
	int batch; /* operations since it last gave the turn away */
	bool kept; /* has the turn since its last operation */
};

/* The policy "local": visits from outside, and locks of its own (local.h). */
struct sched_local {
	int visit;	     /* operations since it came back from outside … */
	int stays;	     /* … and for which it keeps the turn */
	uint32_t run, ahead; /* operations and turns ahead since the last turn */
	uint32_t limit;
	uint32_t logged;
	struct local_entry *log;
	struct sched_thread *wanted_by, *wants_next; /* who waits for objects of this thread */
	void *wants;				     /* object of another thread */
};

/* Waiting for an object, and until when (waitq.h). */
struct sched_wait {
	void *addr;
	uint64_t deadline, seq;
	int reason;
	uint32_t op, obj, kind;
	struct sched_thread *target; /* thread joined */
	bool cancellable, prepared;
	bool interruptible; /* a handled signal ends the wait */
	uint32_t bits;	    /* of a futex: which wakes are for it */
	struct sched_thread *prev, *next;
	size_t heap_at; /* 1 + index in the heap, 0 = not there */
};

/* Work for others (pool.h). */
struct sched_work {
	uint32_t defer;		       /* rounds in which it is passed over */
	uint32_t waker;		       /* id of the thread that signalled it last … */
	bool waker_known, waker_waits; /* … which waits for the same condition itself */
	bool shares;		       /* waits for the same as others of its pool */
	bool item_ends, item_short;
	bool meets; /* at soft barriers */
	uint8_t item_turns, supplies;
	struct pool *pool;
	void *queue, *queue_cond;
};

/* Performance-critical sections (hints/pcs.c). */
struct sched_section {
	int depth;
	uint32_t out; /* deterministic exit: 0 inside, 1 left (futex word) */
	bool timed;
	bool excused; /* its next arrival at a fence is counted already (policy "fence") */
};

/* Soft barriers this thread need not wait in (hints/soba.c). */
struct sched_soba {
	void *key;
	uint32_t skip;
	struct sched_thread *next;
};

/* How long spinning is worth it (park.h). */
struct sched_park {
	int64_t preemptions;
	uint64_t crowd_wait; /* mean wait worth spinning when there are more threads than processors
			      */
	uint32_t long_waits; /* otherwise: waits in a row that were not worth it */
};

struct sched_cancel {
	bool pending, disabled, async;
};

/* Operations in a row that only let others go on, called from the same place. */
struct sched_spin {
	uintptr_t site;
	uint32_t count;
};

/* Atomic operations in the schedule (hook/atomic.c). */
struct sched_atomic {
	void *addr; /* of the last one … */
	uint32_t value;
	uint32_t depth; /* > 0: between its two calls */
	uint32_t vain;	/* in a row, from one place, that changed nothing */
};

/* Real time as the program measures it (hook.h). */
struct sched_times {
	int64_t base_ns; /* deadlines count from here, when base_set */
	bool base_set;
	struct {
		int64_t ns;  /* last reading of the clock by this thread */
		uint64_t at; /* logical time of the first deadline measured from it */
		bool read, used;
	} clock[2];
};

struct sched_profile {
	uint64_t request, granted, left;
	uintptr_t from;
	uint32_t from_op;
};

struct sched_thread {
	/* First line: what other threads write.  One line for all a hand-off needs. */
	uint32_t word;
	uint32_t dozing;
	uint64_t doze_until;
	struct sched_thread *ra_next, *rq_next;
	uint32_t owed; /* turns used ahead that are still to be passed over */
	bool in_rq, waiting;
	bool favoured; /* stands in front of its turn */
	bool deferred; /* work.defer > 0; here, so that a hand-off needs no other line */
	bool quiet;    /* wants to enter a section when all are quiet */

	/* Second line: hot, written by this thread. */
	__attribute__((aligned(64))) int bypass; /* > 0: wrappers call the originals (inside the
						    runtime, PCS, ended) */
	int hold;	      /* > 0: keeps the turn between operations (exit, fork) */
	uint32_t spin_rounds; /* for which it was passed over, waiting for memory, since its last
				 operation */
	uint32_t held_until;  /* goes on when so many operations are over (replay/) */
	bool away;	      /* in a call to the outside that waits: takes no processor */
	struct sched_keep keep;
	struct sched_local local;

	uint32_t tid;
	int os_tid;
	uint64_t delay_seed;
	uint64_t pc[12];
	uint32_t pc_count;
	struct sched_wait wait;
	struct sched_work work;
	struct sched_section pcs;
	struct sched_soba soba;
	struct sched_park park;
	struct sched_cancel cancel;
	struct sched_spin spin;
	struct sched_atomic atomic;
	struct sched_times times;
	struct sched_profile profile;
	void *omp; /* place in an OpenMP team */

	/* Life. */
	pthread_t os;
	bool finished, detached, joining;
	int end_rounds;
	void *(*start)(void *);
	int (*start_c11)(void *); /* instead, for threads of C11 */
	void *arg;
	struct sched_thread *all_next, *free_next, *map_next;
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
	uint64_t sleeps;
	/* Waiters by address; read without the turn by those who signal from outside. */
	uint32_t waiting_at[SCHED_PLACES];
};

#endif
