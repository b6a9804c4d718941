/*
 * Batches of schedules on a fleet.
 *
 * A batch is cut into as many parts as there are guests; what comes back is in the order of the
 * schedules, whoever carried them out, so nothing depends on how many there are.
 */
#ifndef HEDDLE_RUN_BATCH_H
#define HEDDLE_RUN_BATCH_H

#include "model/schedule.h"
#include "run/fleet/fleet.h"
#include "run/guest/engine.h"

/* What one guest carried out. */
struct run_batch_part {
	struct run_result result; /* events of all its runs, one after the other */
	struct wire_batch_run *runs;
	size_t count, done; /* runs given to it; complete ones, with their events */
	struct model_schedule follow;
	struct err e;
	int rc;
};

struct run_batch {
	struct run_engine *engine;
	struct wire_job job;
	struct run_fleet fleet;
	VEC(struct run_batch_part) parts; /* by guest */
	uint64_t busy_ns;		  /* the fleet was at work */
};

/* first: a guest that stays the caller's.  n: how many all in all, the others made from opts. */
int run_batch_init(struct run_batch *b, struct run_engine *engine, struct run_guest *first,
		   const struct run_guest_opts *opts, unsigned n, const struct wire_job *job,
		   struct err *e);
void run_batch_fini(struct run_batch *b);

/* Carries out n schedules; the parts then hold what came of them.  0, or the first error. */
int run_batch_do(struct run_batch *b, const struct model_schedule *schedules, size_t n,
		 struct err *e);

#endif
