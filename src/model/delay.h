/*
 * Stores that came late: what the store buffers of TSO and PSO did in one recorded execution.
 *
 * A store enters the buffer of its thread as an ISSUE event and reaches memory as a WRITE event
 * with the same tix.  It is late when the thread did something in between that took effect before
 * it:
 *
 *   past a load   the thread read other memory (TSO, PSO; the load a later store of the thread
 *                 could answer from the buffer does not count: it might as well have come after)
 *   past a store  a later store of the thread reached memory first (PSO)
 *
 * An execution without late stores is one of sequential consistency.
 *
 * Fences (wire/ctl.h) take executions away.  Those an execution breaks are the ones of which any
 * single one would have made it impossible; a set of fences that does away with several executions
 * must have one of each execution's broken fences.
 */
#ifndef HEDDLE_MODEL_DELAY_H
#define HEDDLE_MODEL_DELAY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/vec.h"
#include "wire/ctl.h"
#include "wire/event.h"

#define MODEL_DELAY_NONE SIZE_MAX

/* Members are indices of events, MODEL_DELAY_NONE when there is none. */
struct model_delay {
	size_t issue;
	size_t commit;	  /* its WRITE; none: it was on its way when the execution ended */
	size_t past_load; /* the first load it was late for */
	/* The WRITE of a later store that overtook it: the first another thread read, else the
	 * first. */
	size_t past_store;
	size_t seen; /* the first access of another thread to its bytes while it was on its way */
	size_t loads, stores; /* how many it was late for */
};

struct model_delays {
	VEC_FIELDS(struct model_delay);
};

/* Late stores in the order of their ISSUE, appended to *out. */
void model_delays_find(struct model_delays *out, const struct wire_event *events, size_t n);
/* Sum of all loads and stores that were overtaken; 0 exactly when nothing was late. */
size_t model_delays_weight(const struct model_delays *d);

struct model_fences {
	VEC_FIELDS(struct wire_fence);
};

/*
 * The fences the execution breaks, each once, appended to *out: first those of kind RELEASE, then
 * FULL, and the ones broken later before those broken earlier (a fence drains older stores too).
 */
void model_fences_broken(struct model_fences *out, const struct wire_event *events, size_t n);
bool model_fences_have(const struct wire_fence *fences, size_t n, const struct wire_fence *f);

#endif
