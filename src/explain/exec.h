/*
 * One execution under control, prepared for comparing it with another one of the same program.
 *
 * Events of two executions are the same when they are the same operation of the same thread: a
 * thread is known by who created it as which child, an operation by its place in the thread (tix).
 * What a thread does at a place depends on its path, so explain_same_path() comes before everything
 * else.
 *
 * A *source* is where what an operation gets comes from: of a read the write it sees, of a wake-up
 * the signal, of a lock the release before it.  Reads of several bytes have the newest of their
 * writes as source, and a number that differs when any of the bytes comes from elsewhere.
 */
#ifndef HEDDLE_EXPLAIN_EXEC_H
#define HEDDLE_EXPLAIN_EXEC_H

#include "base/lookup.h"
#include "run/guest/result.h"

#define EXPLAIN_NONE UINT32_MAX

struct explain_op {
	uint32_t event;	 /* index into run.events */
	uint32_t thread; /* as the failing execution numbers it */
	uint32_t source; /* op, EXPLAIN_NONE: the beginning, or it gets nothing */
	uint64_t origin; /* of all that it gets, comparable between executions; 0: the beginning */
	uint64_t key;	 /* thread and place, comparable between executions */
};

struct explain_exec {
	struct run_result run;
	VEC(struct explain_op) ops; /* all that is no marker, in order */
	VEC(uint32_t) thread; /* by tid: thread of the failing execution, or a number behind */
	struct lookup by_key;
};

/* Takes over *r, which is empty afterwards.  failing: NULL when it is the failing one itself. */
void explain_exec_init(struct explain_exec *x, struct run_result *r,
		       const struct explain_exec *failing);
void explain_exec_fini(struct explain_exec *x);

/* The operation with that key, EXPLAIN_NONE. */
uint32_t explain_exec_find(const struct explain_exec *x, uint64_t key);

static inline const struct wire_event *explain_event(const struct explain_exec *x, uint32_t op)
{
	return &x->run.events.items[x->ops.items[op].event];
}

/* The store of a buffer reaches memory with this event (TSO, PSO). */
bool explain_is_commit(const struct explain_exec *x, uint32_t op);

/* Bytes of memory it touches, from .addr on; 0: none.  Blocks are written when they are
 * made and when they are freed. */
uint64_t explain_bytes(const struct wire_event *v);
bool explain_reads(const struct wire_event *v);
bool explain_writes(const struct wire_event *v);
/* It gives something to whoever comes next, or takes it: locks, conditions, semaphores, barriers.
 */
bool explain_syncs(const struct wire_event *v);
/* What it synchronises at: .addr, or the number of a descriptor. */
uint64_t explain_object(const struct wire_event *v);
/* It takes the lock of .addr; it gives it up. */
bool explain_takes(const struct wire_event *v);
bool explain_gives(const struct wire_event *v);

#endif
