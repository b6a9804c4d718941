/*
 * Which engine carries the runs.
 *
 * Unless the user forced one, runs begin on the reset engine; the first thing it cannot undo (or a
 * death it cannot account for) makes all guests go on with the fork engine.  One struct run_engine
 * is shared by all guests of a command; that is safe from several host threads.
 */
#ifndef HEDDLE_RUN_ENGINE_H
#define HEDDLE_RUN_ENGINE_H

#include <pthread.h>
#include <stdbool.h>

#include "run/guest/guest.h"

/* Told once, when the engine changes: "cannot undo …". */
typedef void (*run_engine_fn)(void *arg, const char *reason);

struct run_engine {
	pthread_mutex_t lock;
	uint32_t now; /* enum wire_engine, never AUTO */
	bool forced;  /* by the user: never changed */
	run_engine_fn say;
	void *arg;
	VEC(struct wire_unseen) unseen; /* of all jobs, each text once */
};

void run_engine_init(struct run_engine *x, enum wire_engine wanted, run_engine_fn say, void *arg);
void run_engine_fini(struct run_engine *x);

uint32_t run_engine_now(struct run_engine *x);

/*
 * What jobs met that heddle does not see: to be asked when no job is under way.  A proof is none
 * while there is anything here.
 */
static inline size_t run_engine_unseen(const struct run_engine *x)
{
	return x->unseen.count;
}

/* It in words: at most a few, and how many more there are. */
void run_engine_say_unseen(const struct run_engine *x, char *text, size_t bytes);

/*
 * As run_guest_job(), on the engine in use; steps down and goes on when that is needed.  Then the
 * counts in r->wire cover the part before the change as well.  A job of the DFS strategy begins
 * again, because its state is lost with the process.
 */
int run_engine_job(struct run_engine *x, struct run_guest *g, const struct wire_job *job,
		   const struct wire_choice *follow, struct run_result *r, struct err *e);

#endif
