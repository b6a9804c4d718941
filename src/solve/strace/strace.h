/*
 * Symbolic traces: what every thread of a failing run did, with the values of shared reads unknown.
 *
 * A thread is a sequence of events in program order.  What it writes and the conditions under which
 * it takes its path are expressions over the reads; what expressions are made of is known to
 * whoever made the trace, and asked through struct strace_values.  A run of the trace is a total
 * order of all its events (a write stands where it reaches memory) that the memory model, the
 * synchronisation objects and every condition allow.
 *
 * Memory is a set of cells: bytes that are always accessed together.  An access of several cells is
 * one event with several parts.  The maker of the trace cuts memory into cells.
 */
#ifndef HEDDLE_SOLVE_STRACE_STRACE_H
#define HEDDLE_SOLVE_STRACE_STRACE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "base/vec.h"

#define STRACE_NONE UINT32_MAX

enum strace_op {
	STRACE_READ,
	STRACE_WRITE,
	STRACE_RMW, /* reads and writes in one step; drains the store buffer */
	STRACE_FENCE,
	STRACE_FORK, /* object = thread begun */
	STRACE_JOIN, /* object = thread waited for */
	STRACE_BEGIN,
	STRACE_END,
	STRACE_LOCK,
	STRACE_UNLOCK,
	STRACE_RDLOCK,
	STRACE_WRLOCK,
	STRACE_RWUNLOCK,
	STRACE_WAIT,   /* object = condition, other = mutex: gives it up and sleeps */
	STRACE_WAKE,   /* the same: was woken and has the mutex again */
	STRACE_EXPIRE, /* object = condition: nobody woke it in time; a WAKE that FAILED follows */
	STRACE_SIGNAL,
	STRACE_BROADCAST,
	STRACE_ARRIVE, /* barrier; other = how many make a round */
	STRACE_LEAVE,
	STRACE_TAKE, /* semaphore; other = tokens at the beginning */
	STRACE_GIVE,
	STRACE_ONCE_BEGIN, /* runs the routine */
	STRACE_ONCE_END,
	STRACE_ONCE_PASS, /* finds it done */
	STRACE_OPS,
};

enum strace_flag {
	STRACE_RELEASE = 1, /* WRITE: older stores reach memory before it and before later ones */
	STRACE_THROUGH = 2, /* WRITE: waits for the buffers and goes to memory */
	STRACE_FAILED = 4,  /* LOCK, RDLOCK, WRLOCK, TAKE, WAKE: tried in vain, or expired */
};

struct strace_event {
	uint32_t thread;
	uint8_t op, flags;
	uint32_t first, count; /* parts */
	uint64_t object, other;
	int32_t core;	  /* -1: unknown */
	uint32_t core_at; /* place among the events of its core */
	uint32_t segment; /* of its core, counted from 0; STRACE_NONE: unknown */
	uint64_t time;	  /* a hint about when it happened; 0: none */
	uint32_t site;
	uint32_t tag; /* the maker's own number */
};

struct strace_part {
	uint32_t cell;
	uint32_t read;	/* number of the read, STRACE_NONE: writes only */
	uint32_t value; /* expression of what is written, STRACE_NONE: reads only */
	uint32_t event; /* that it belongs to */
	uint32_t own;	/* newest older part of the thread that writes the cell */
};

enum strace_why { STRACE_PATH, STRACE_BUG };

struct strace_condition {
	uint32_t expr; /* must not be 0 */
	uint8_t why;   /* enum strace_why */
	uint32_t thread, site;
	uint32_t next; /* first event of the thread behind it; STRACE_NONE: none */
};

/* A thread that waits for ever when the run has failed by deadlock. */
struct strace_stuck {
	uint32_t thread;
	uint8_t op; /* what it stands at: LOCK, RDLOCK, WRLOCK, WAKE, LEAVE, TAKE, JOIN */
	uint64_t object;
};

struct strace_values {
	void *arg;
	/* The value of expr when read i returned reads[i]. */
	uint64_t (*eval)(void *arg, uint32_t expr, const uint64_t *reads);
	/* Reads have other values from now on than in calls before; may be NULL. */
	void (*begin)(void *arg);
	/* The reads it depends on; borrowed until the next call. */
	const uint32_t *(*reads)(void *arg, uint32_t expr, size_t *count);
};

struct strace_list {
	VEC_FIELDS(uint32_t);
};

struct strace {
	VEC(struct strace_event) events;
	VEC(struct strace_part) parts;
	VEC(uint64_t) cells; /* their values in the beginning */
	VEC(struct strace_condition) conditions;
	VEC(struct strace_stuck) stuck; /* not empty: the failure is that these wait for ever */
	/*
	 * The event with which the run ends, the last one of its thread: what comes after it in an
	 * order need not be possible, and of other threads only conditions count that they have
	 * gone past.  STRACE_NONE: everything happens.
	 */
	uint32_t until;
	struct strace_values values;
	/* Made by strace_seal(): */
	uint32_t threads, reads;
	VEC(uint32_t) read_part;	 /* by read */
	VEC(struct strace_list) program; /* by thread: its events */
	VEC(struct strace_list) writers; /* by cell: parts that write it */
	VEC(uint32_t) release;		 /* by event that takes a lock: the one that gives it up */
	bool sealed, has_cores, has_segments;
};

void strace_init(struct strace *t);
void strace_fini(struct strace *t);

/* A cell with its first value; returns its number. */
uint32_t strace_add_cell(struct strace *t, uint64_t value);

/* Appends an event to its thread; parts follow it.  Returns its number. */
uint32_t strace_add_event(struct strace *t, uint32_t thread, enum strace_op op, uint64_t object);
/* A part of the event added last.  read is a number not used before, or STRACE_NONE. */
void strace_add_part(struct strace *t, uint32_t cell, uint32_t read, uint32_t value);

void strace_add_condition(struct strace *t, uint32_t expr, enum strace_why why);

/*
 * To be called when all is there: numbers, lists, sections.  ERR_FORMAT when the trace makes no
 * sense: a mutex given up that was not taken, a read without a part, cores out of order.
 */
int strace_seal(struct strace *t, struct err *e);

/* Whether a condition has to hold in an order, given as the place of every event. */
bool strace_condition_counts(const struct strace *t, const struct strace_condition *c,
			     const uint32_t *rank);

/* It waits for the store buffer of its thread and holds back what follows. */
bool strace_event_drains(const struct strace_event *e);
/* It takes the mutex of .object, or of .other. */
bool strace_event_takes(const struct strace_event *e, uint64_t *mutex);
bool strace_event_gives(const struct strace_event *e, uint64_t *mutex);

#endif
