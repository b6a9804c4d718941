/*
 * Symbolic traces: what every thread of a failing run did, with the values of shared reads unknown.
 *
 * A thread is a sequence of events in program order.  What it writes and the conditions under which
 * it takes its path are expressions over the reads; what expressions are made of is known to
 * whoever made the trace, and asked through struct repro_values.  A run of the trace is a total
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

#define REPRO_NONE UINT32_MAX

enum repro_op {
	REPRO_READ,
	REPRO_WRITE,
	REPRO_RMW, /* reads and writes in one step; drains the store buffer */
	REPRO_FENCE,
	REPRO_FORK, /* object = thread begun */
	REPRO_JOIN, /* object = thread waited for */
	REPRO_BEGIN,
	REPRO_END,
	REPRO_LOCK,
	REPRO_UNLOCK,
	REPRO_RDLOCK,
	REPRO_WRLOCK,
	REPRO_RWUNLOCK,
	REPRO_WAIT,   /* object = condition, other = mutex: gives it up and sleeps */
	REPRO_WAKE,   /* the same: was woken and has the mutex again */
	REPRO_EXPIRE, /* object = condition: nobody woke it in time; a WAKE that FAILED follows */
	REPRO_SIGNAL,
	REPRO_BROADCAST,
	REPRO_ARRIVE, /* barrier; other = how many make a round */
	REPRO_LEAVE,
	REPRO_TAKE, /* semaphore; other = tokens at the beginning */
	REPRO_GIVE,
	REPRO_ONCE_BEGIN, /* runs the routine */
	REPRO_ONCE_END,
	REPRO_ONCE_PASS, /* finds it done */
	REPRO_OPS,
};

enum repro_flag {
	REPRO_RELEASE = 1, /* WRITE: older stores reach memory before it and before later ones */
	REPRO_THROUGH = 2, /* WRITE: waits for the buffers and goes to memory */
	REPRO_FAILED = 4,  /* LOCK, RDLOCK, WRLOCK, TAKE, WAKE: tried in vain, or expired */
};

struct repro_event {
	uint32_t thread;
	uint8_t op, flags;
	uint32_t first, count; /* parts */
	uint64_t object, other;
	int32_t core;	  /* -1: unknown */
	uint32_t core_at; /* place among the events of its core */
	uint32_t segment; /* of its core, counted from 0; REPRO_NONE: unknown */
	uint64_t time;	  /* a hint about when it happened; 0: none */
	uint32_t site;
	uint32_t tag; /* the maker's own number */
};

struct repro_part {
	uint32_t cell;
	uint32_t read;	/* number of the read, REPRO_NONE: writes only */
	uint32_t value; /* expression of what is written, REPRO_NONE: reads only */
	uint32_t event; /* that it belongs to */
	uint32_t own;	/* newest older part of the thread that writes the cell */
};

enum repro_why { REPRO_PATH, REPRO_BUG };

struct repro_condition {
	uint32_t expr; /* must not be 0 */
	uint8_t why;   /* enum repro_why */
	uint32_t thread, site;
	uint32_t next; /* first event of the thread behind it; REPRO_NONE: none */
};

/* A thread that waits for ever when the run has failed by deadlock. */
struct repro_stuck {
	uint32_t thread;
	uint8_t op; /* what it stands at: LOCK, RDLOCK, WRLOCK, WAKE, LEAVE, TAKE, JOIN */
	uint64_t object;
};

struct repro_values {
	void *arg;
	/* The value of expr when read i returned reads[i]. */
	uint64_t (*eval)(void *arg, uint32_t expr, const uint64_t *reads);
	/* Reads have other values from now on than in calls before; may be NULL. */
	void (*begin)(void *arg);
	/* The reads it depends on; borrowed until the next call. */
	const uint32_t *(*reads)(void *arg, uint32_t expr, size_t *count);
};

struct repro_list {
	VEC_FIELDS(uint32_t);
};

struct repro_strace {
	VEC(struct repro_event) events;
	VEC(struct repro_part) parts;
	VEC(uint64_t) cells; /* their values in the beginning */
	VEC(struct repro_condition) conditions;
	VEC(struct repro_stuck) stuck; /* not empty: the failure is that these wait for ever */
	/*
	 * The event with which the run ends, the last one of its thread: what comes after it in an
	 * order need not be possible, and of other threads only conditions count that they have
	 * gone past.  REPRO_NONE: everything happens.
	 */
	uint32_t until;
	struct repro_values values;
	/* Made by repro_strace_seal(): */
	uint32_t threads, reads;
	VEC(uint32_t) read_part;	/* by read */
	VEC(struct repro_list) program; /* by thread: its events */
	VEC(struct repro_list) writers; /* by cell: parts that write it */
	VEC(uint32_t) release;		/* by event that takes a lock: the one that gives it up */
	bool sealed, has_cores, has_segments;
};

void repro_strace_init(struct repro_strace *t);
void repro_strace_fini(struct repro_strace *t);

/* A cell with its first value; returns its number. */
uint32_t repro_strace_cell(struct repro_strace *t, uint64_t value);

/* Appends an event to its thread; parts follow it.  Returns its number. */
uint32_t repro_strace_event(struct repro_strace *t, uint32_t thread, enum repro_op op,
			    uint64_t object);
/* A part of the event added last.  read is a number not used before, or REPRO_NONE. */
void repro_strace_part(struct repro_strace *t, uint32_t cell, uint32_t read, uint32_t value);

void repro_strace_condition(struct repro_strace *t, uint32_t expr, enum repro_why why);

/*
 * To be called when all is there: numbers, lists, sections.  ERR_FORMAT when the trace makes no
 * sense: a mutex given up that was not taken, a read without a part, cores out of order.
 */
int repro_strace_seal(struct repro_strace *t, struct err *e);

/* Whether a condition has to hold in an order, given as the place of every event. */
bool repro_condition_counts(const struct repro_strace *t, const struct repro_condition *c,
			    const uint32_t *rank);

/* It waits for the store buffer of its thread and holds back what follows. */
bool repro_event_drains(const struct repro_event *e);
/* It takes the mutex of .object, or of .other. */
bool repro_event_takes(const struct repro_event *e, uint64_t *mutex);
bool repro_event_gives(const struct repro_event *e, uint64_t *mutex);

#endif
