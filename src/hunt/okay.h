/*
 * A schedule in which a combination of paths passes, and how far its branches stand from an
 * assertion there (Machado, section 5.1 and 3.2 of the specification's numbering: Phi_ok).
 *
 * The order is any that the solver gives, made canonical: events of other threads stand as late
 * before the assertion as they can without making it impossible.
 */
#ifndef HEDDLE_HUNT_OKAY_H
#define HEDDLE_HUNT_OKAY_H

#include "hunt/exec.h"
#include "model/schedule.h"
#include "solve/formula.h"

/* Where an assertion stands; behind the last event of the thread when it was not reached. */
struct hunt_target {
	uint32_t thread;
	uint32_t events; /* of the thread before it */
	expr_id good;	 /* holds there; EXPR_NONE: nothing is asked */
};

/* A branch that may be flipped. */
struct hunt_branch {
	uint32_t thread;
	size_t way;
	uint64_t distance; /* in events of the schedule */
	bool after;	   /* behind the assertion, in another thread */
};

struct hunt_branches {
	VEC_FIELDS(struct hunt_branch);
};

/*
 * Fills in the distances of branches and sorts them, nearest first; those that cannot matter go.
 * branches NULL: only whether there is such a schedule.
 */
enum solve_answer hunt_okay(const struct hunt_exec *x, const struct hunt_target *target,
			    const struct limit *limit, struct hunt_branches *branches);

/*
 * A schedule in which the paths of an execution are taken to their ends; SOLVE_SAT with it in *out
 * (empty before).
 */
enum solve_answer hunt_okay_schedule(const struct hunt_exec *x, const struct limit *limit,
				     struct model_schedule *out);

#endif
