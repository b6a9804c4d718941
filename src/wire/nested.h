/*
 * What libheddle-stable.so and heddle check --stable share beside the control block: where every
 * thread stands, and who of those that the schedule leaves open goes on.
 *
 * A thread that is about to do something open (an operation in a performance-critical section, its
 * return to the schedule, or, with the turn, the next turn) makes a request and waits.  When no
 * thread runs any more, the last to stop looks which requests are possible and raises `ask'; heddle
 * answers by letting one of them go on.  The lock is the guest's alone.
 */
#ifndef HEDDLE_WIRE_NESTED_H
#define HEDDLE_WIRE_NESTED_H

#include <stdint.h>

#define NESTED_MAGIC UINT64_C(0x6e65737465647368)
#define NESTED_VERSION 1
#define NESTED_SLOTS 63 /* threads; a reduction has room for one more, the schedule itself */

enum nested_kind {
#define X(NAME, text) NESTED_##NAME,
#include "wire/nested_ops.def"
#undef X
	NESTED_KINDS
};

enum nested_state {
	NESTED_NOBODY,
	NESTED_RUNS,
	NESTED_STANDS,	/* waits for the turn, or for a signal in the schedule */
	NESTED_ASKS,	/* has a request */
	NESTED_AWAITS,	/* with the turn, for the end of a section */
	NESTED_IS_AWAY, /* in a call that waits for the world */
	NESTED_DEAD,
};

/* Values of go. */
enum nested_go { NESTED_STAY, NESTED_GO, NESTED_GO_TIMER };

/* What happened that no answer decided: a search is not complete then. */
enum nested_reason {
	NESTED_WHY_AWAY = 1,	  /* a thread waited for the world while sections were open */
	NESTED_WHY_TIME = 2,	  /* a deadline was due beside open sections */
	NESTED_WHY_WAITERS = 4,	  /* a signal had a choice of waiters */
	NESTED_WHY_OPERATION = 8, /* an operation that is not modelled */
	NESTED_WHY_THREADS = 16,  /* too many threads */
	NESTED_WHY_LIMIT = 32,	  /* a timed operation in a section */
};

struct nested_slot {
	uint32_t state, go;
	uint32_t kind, enabled;
	uint64_t object, second; /* addresses */
	uint64_t pc;		 /* of the request */
	uint64_t waits;		 /* the condition or barrier it waits at; 0: none */
	uint64_t order;		 /* … since when */
	uint32_t woken, pad;
};

struct nested_ctl {
	uint64_t magic;
	uint32_t version, bytes;
	int32_t owner;
	uint32_t lock;
	uint32_t running; /* threads that will ask, stand or end by themselves */
	uint32_t ask;	  /* futex: raised when nobody runs */
	uint32_t reasons;
	uint32_t timer;	    /* 1 + who lets time pass to the next deadline; 0: there is none */
	uint64_t why_pc[8]; /* by the number of the reason's bit: where first */
	uint64_t time;	    /* logical */
	uint64_t orders;    /* of waits */
	struct nested_slot slot[NESTED_SLOTS];
};

#endif
