/*
 * Threads of the program under control, and the operations they stand at: what every part of the
 * runtime knows of them.
 *
 * tid is the number in creation order (main 0), never reused in an execution.  slot is the place
 * (stack, TLS block, pthread_t), reused after the thread is gone.
 */
#ifndef HEDDLE_GUEST_CHECK_THREAD_H
#define HEDDLE_GUEST_CHECK_THREAD_H

#include "guest/check/rt.h"

struct rt_op {
	uint8_t kind; /* enum event_kind */
	uint8_t size;
	uint8_t timed;	/* may expire: TIMEOUT is offered while it is not ready */
	uint8_t flags;	/* enum op_flag */
	uint32_t site;
	uint32_t aux;
	uint64_t addr;	/* object it waits for */
	uint64_t value;
	uint64_t deadline; /* when timed: ns as sched_now() counts */
	uint64_t interval; /* when it expires so long after it began, else 0: at the deadline */
	bool (*ready)(struct rt_thread *t, const struct rt_op *op); /* NULL: always */
	/* What a choice of SPURIOUS does to t, which stands at it; NULL: there is no such choice. */
	void (*spurious)(struct rt_thread *t);
	uint64_t sp; /* below it the program has no frames; 0: as far as op itself lies */
	void *data;
};

enum op_flag {
	OP_NO_DRAIN = 1, /* does not wait for the store buffers (markers) */
	OP_IO = 2,	 /* readiness comes from outside: asked again after IO and when idle */
	OP_YIELD = 4,	 /* strategies should let others go first */
	OP_CANCEL = 8,	 /* a cancellation point: also ready when the thread has been cancelled */
	OP_INTR = 16,	 /* a signal ends it, see below */
};

/*
 * INTR: a signal has reached the thread before the operation could take place; its handlers have
 * not run.  Only operations with OP_INTR end like that: their hooks put in order what they have
 * begun and call signals_handle().  In front of all other operations sched_step() runs the
 * handlers by itself.
 */
enum step_result { STEP_GO, STEP_TIMEOUT, STEP_INTR };

#define RT_MAX_KEYS 128	   /* thread-specific data keys, see hook/tsd.c */
#define RT_MAX_HELD 64

struct rt_held {
	uint64_t addr;
	uint32_t site;
	uint32_t kind; /* enum wire_obj */
};

/* How the kernel would let it run, see hook/life/standing.h; all 0 in the first thread. */
struct rt_standing {
	uint8_t policy, priority;
	uint8_t processors; /* as bits; 0: all */
	int8_t nicer;	    /* than the process was at its start */
	uint8_t by_another; /* another thread has set some of it */
};

struct rt_thread {
	uint16_t tid, parent;
	uint16_t slot;
	uint8_t state; /* enum wire_thread_state */
	uint8_t detached;
	uint8_t joined;	/* somebody is in, or past, a join of it */
	uint8_t cancel_pending, cancel_disabled, cancel_async;
	uint8_t exiting;
	uint32_t child_index, children, inner_children;
	uint64_t key; /* says who it is in every execution: its parent's, and which child */
	uint32_t create_site;
	uint32_t next_tix; /* events so far */
	uint32_t at_site;  /* set by heddle_hook_at() */
	uint64_t at_sp;	   /* the program's stack pointer there; 0: not known */
	uint64_t deepest;  /* how far its frames reach, as rec_stack() was told last; 0: never */
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
	struct rt_standing standing;
	void *tls_dtors; /* hook/tsd.c */
	void *keys[RT_MAX_KEYS];
	void *cleanup;	 /* hook/cancel.c */
	uint64_t sig_blocked, sig_pending; /* signals as bits, hook/signals.h */
	struct signal_frame *sig_frames;   /* handlers under way, the innermost first */
	/* Private to sched, mem and engine. */
	struct engine_slot *place;
	struct store_buffer *buffer;
	struct spin_state *spin;
	struct rt_op begin_op;
	uint64_t priority;	  /* PCT */
	uint32_t known;		  /* its number in what strategies have learned, sched/draw/know.h */
	enum step_result resume;  /* what its sched_step() returns when it runs again */
	uint8_t spin_on;	  /* reads are being collected, see sched/spin.h */
	uint8_t clock_due;	  /* it let time pass: to be recorded with its next event */
	uint64_t clock_from, clock_to;
	uint32_t clock_row, clock_tix; /* readings of the clock in a row, see hook/time.c */
};

/* Whether a signal that it does not block has reached the thread. */
static inline bool thread_interrupted(const struct rt_thread *t)
{
	return (t->sig_pending & ~t->sig_blocked) != 0;
}

/* Threads of this run so far, by tid. */
extern struct rt_thread rt_threads[WIRE_MAX_THREADS];
extern uint32_t rt_thread_count;

/* NULL when there is none of that number. */
static inline struct rt_thread *thread_by_tid(uint32_t tid)
{
	return tid < rt_thread_count ? &rt_threads[tid] : NULL;
}

#endif
