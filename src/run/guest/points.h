/*
 * Which recorded point (ir/canon.h) an event of a controlled run belongs to: sites of branches and the
 * points of the canonical code they stand at, with what a recorder marks, from heddle-deps --points.
 */
#ifndef HEDDLE_RUN_POINTS_H
#define HEDDLE_RUN_POINTS_H

#include "base/err.h"
#include "base/vec.h"
#include "trace/bundle/recording.h"

struct run_points {
	VEC(struct trace_marks) marks; /* by unit */
	VEC(uint32_t) ends;	       /* by unit: sites up to its last one */
	VEC(struct record_point) sites; /* by number of the site in the program */
};

int run_points_read(struct run_points *p, const char *program, struct err *e);
void run_points_fini(struct run_points *p);

/* The point of a branch; NULL when the site has none.  *unit: where it is. */
const struct record_point *run_points_find(const struct run_points *p, uint32_t site,
					   uint32_t *unit);

/* Bits that the way of a branch takes in a stream. */
static inline unsigned run_points_width(const struct record_point *p)
{
	return p->successors ? record_width(p->successors) : 1;
}

#endif
