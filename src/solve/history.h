/*
 * What an execution did, as far as order and values of shared accesses go: the input of the causal
 * encoding (causal.h).
 *
 * An event is named by its thread and its index in that thread's program order.  A history lists
 * events in the order in which they took effect: a write stands where it reached memory, which
 * under TSO and PSO may be after later events of its own thread.
 */
#ifndef HEDDLE_SOLVE_HISTORY_H
#define HEDDLE_SOLVE_HISTORY_H

#include <stdbool.h>
#include <stdint.h>

#include "base/vec.h"

enum solve_op {
	SOLVE_READ,
	SOLVE_WRITE,
	SOLVE_RMW, /* writes is false for a compare and swap that failed */
	SOLVE_LOCK,
	SOLVE_UNLOCK,
	SOLVE_FENCE,
	SOLVE_FORK, /* object = thread begun */
	SOLVE_JOIN, /* object = thread waited for */
	SOLVE_BEGIN,
	SOLVE_END,
	SOLVE_OPS,
};

struct solve_event {
	uint32_t thread, index;
	uint8_t op; /* enum solve_op */
	bool writes;
	uint32_t site;
	uint64_t object;  /* location, lock or thread */
	uint64_t value;	  /* READ, RMW: what it read */
	uint64_t written; /* WRITE, RMW that writes: what it wrote */
};

struct solve_history {
	VEC_FIELDS(struct solve_event);
};

/* Sorts places of events by thread, and each thread's by program order. */
int solve_history_order(const void *a, const void *b, void *events); /* for qsort_r() */
void solve_history_sort(uint32_t *places, size_t n, const struct solve_event *events);

/* Name of an event, enough to find it again in another execution. */
struct solve_step {
	uint32_t thread, index;
};

static inline bool solve_event_reads(const struct solve_event *e)
{
	return e->op == SOLVE_READ || e->op == SOLVE_RMW;
}

/* Waits for the store buffers of its thread and holds back what follows. */
static inline bool solve_event_syncs(const struct solve_event *e)
{
	return e->op > SOLVE_WRITE;
}

#endif
