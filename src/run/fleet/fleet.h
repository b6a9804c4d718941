/*
 * The fleet: guests that work side by side, whatever their runs are for.
 *
 * Every guest but the first has a host thread of its own, which starts its process and must live as
 * long (run/guest/guest.h).  The first one's work is done in the thread of the caller.
 */
#ifndef HEDDLE_RUN_FLEET_H
#define HEDDLE_RUN_FLEET_H

#include <pthread.h>

#include "base/vec.h"
#include "run/guest/guest.h"

struct run_fleet;

struct run_fleet_member {
	struct run_fleet *fleet;
	struct run_guest *guest;
	unsigned number;
	pthread_t thread;
	bool has_thread, owns_guest;
	int state; /* enum fleet_state */
};

struct run_fleet {
	VEC(struct run_fleet_member *) members;
	pthread_mutex_t lock;
	pthread_cond_t changed;
	void (*work)(void *arg, unsigned number, struct run_guest *guest);
	void *arg;
};

/*
 * n guests made from opts.  first: a guest that stays the caller's, instead of one of them; NULL:
 * none.  After an error only run_fleet_fini() may follow.
 */
int run_fleet_init(struct run_fleet *f, struct run_guest *first, const struct run_guest_opts *opts,
		   unsigned n, struct err *e);
void run_fleet_fini(struct run_fleet *f);

/* Has work() done for each of the first n guests at the same time, and waits for all of them. */
void run_fleet_work(struct run_fleet *f, unsigned n,
		    void (*work)(void *arg, unsigned number, struct run_guest *guest), void *arg);

#endif
