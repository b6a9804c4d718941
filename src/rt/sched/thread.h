/*
 * Threads of the program under control.
 *
 * tid is the number in creation order (main 0), never reused in an execution.  slot is the place
 * (stack, TLS block, pthread_t), reused after the thread is gone.
 */
#ifndef HEDDLE_RT_SCHED_THREAD_H
#define HEDDLE_RT_SCHED_THREAD_H

#include <pthread.h>

#include "rt/sched/core.h"

#define RT_MAX_KEYS 128	   /* thread-specific data keys, see hook/tsd.c */
#define RT_MAX_HELD 64

struct rt_held {
	uint64_t addr;
	uint32_t site;
	uint32_t kind; /* enum wire_obj */
};

struct rt_thread {
	uint16_t tid, parent;
	uint16_t slot;
	uint8_t state; /* enum wire_thread_state */
	uint8_t detached;
	uint8_t joined;	/* somebody is in, or past, a join of it */
	uint8_t cancel_pending, cancel_disabled, cancel_async;
	uint8_t exiting;
	uint32_t child_index, children;
	uint32_t create_site;
	uint32_t next_tix; /* events so far */
	uint32_t at_site;  /* set by heddle_hook_at() */
	uint32_t last_site; /* of the last operation announced */
	struct rt_op *op;  /* pending operation, on its own stack */
	int wake_reason;   /* for hooks: why a blocked operation became ready */
	uint32_t waker;	   /* for hooks: thread that woke it */
	void *(*start)(void *);
	void *arg;
	void *result;
	uint32_t held_count;
	struct rt_held held[RT_MAX_HELD];
	char name[16];
	void *tls_dtors; /* hook/tsd.c */
	void *keys[RT_MAX_KEYS];
	void *cleanup;	 /* hook/cancel.c */
	/* Private to sched, mem and engine. */
	struct engine_slot *place;
	struct store_buffer *buffer;
	struct spin_state *spin;
	struct rt_op begin_op;
	uint64_t priority;	  /* PCT */
	enum step_result resume;  /* what its sched_step() returns when it runs again */
	uint8_t spin_on;	  /* reads are being collected, see sched/spin.h */
};

/* New thread parked at its BEGIN; NULL when no slot or table entry is left. */
struct rt_thread *thread_new(void *(*start)(void *), void *arg, uint32_t site);
/* Its pthread_t, the same that pthread_self() gives inside it. */
pthread_t thread_handle(const struct rt_thread *t);
/* NULL when no live or unjoined thread has that handle. */
struct rt_thread *thread_by_handle(pthread_t handle);
struct rt_thread *thread_by_tid(uint32_t tid);
/*
 * Ends the current thread: destructors (hook_thread_end()), END event, wakes joiners
 * (sched_wake of the thread's own address), never returns.
 */
_Noreturn void thread_end(void *result);
/* The thread was joined or detached and ended: its slot may be used again. */
void thread_release(struct rt_thread *t);

/* Locks held, for deadlock reports; remove ignores what is not there. */
void thread_hold(struct rt_thread *t, uint64_t addr, uint32_t site, enum wire_obj kind);
void thread_unhold(struct rt_thread *t, uint64_t addr);

#endif
