/*
 * Guests that carry out batches of schedules, side by side.
 *
 * A batch is cut into as many parts as there are guests; what comes back is in the order of the
 * schedules, whoever carried them out, so nothing depends on how many there are.  Each guest but
 * the first has a thread of its own, which started its process and must live as long.
 */
#ifndef HEDDLE_CHECK_CREW_H
#define HEDDLE_CHECK_CREW_H

#include <pthread.h>

#include "learn/product.h"
#include "run/engine.h"

/* What one guest carried out. */
struct crew_part {
	struct run_result result; /* events of all its runs, one after the other */
	struct wire_batch_run *runs;
	size_t count, done; /* runs given to it; complete ones, with their events */
	VEC(struct wire_choice) follow;
	struct err e;
	int rc;
};

struct crew_member {
	struct crew *crew;
	struct run_guest *guest;
	struct crew_part part;
	pthread_t thread;
	bool has_thread, owns_guest;
	int state; /* enum crew_state */
};

struct crew {
	struct run_engine *engine;
	struct wire_job job;
	VEC(struct crew_member *) members;
	pthread_mutex_t lock;
	pthread_cond_t changed;
	uint64_t busy_ns; /* the crew was at work */
};

/* first: a guest that stays the caller's.  n: how many all in all, the others made from opts. */
int crew_init(struct crew *c, struct run_engine *engine, struct run_guest *first,
	      const struct run_guest_opts *opts, unsigned n, const struct wire_job *job,
	      struct err *e);
void crew_fini(struct crew *c);

/* Carries out n schedules; the parts then hold what came of them.  0, or the first error. */
int crew_run(struct crew *c, const struct product_path *paths, size_t n, struct err *e);

#endif
