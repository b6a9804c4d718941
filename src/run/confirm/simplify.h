/*
 * Makes a failing schedule easier to read: fewer context switches, same failure.
 *
 * A schedule is a sequence of segments, each a stretch of choices of one thread.  Four edits are
 * tried and kept when the program still fails in the same way with fewer segments:
 *
 *  - gather: inside a window of segments, put those of one thread together, in the order in which
 *    the threads first appear.  Windows shrink from the whole schedule to three segments, so large
 *    stretches that do not matter collapse early.
 *  - cut: follow only a prefix and let the guest go on without preemptions.
 *  - join: bring two neighbouring segments of one thread together, either late or early.
 *  - drop: leave one segment out.
 *
 * A candidate need not fit the program; it is only a wish, followed as far as it goes.  What is
 * kept is always the schedule the guest really made.  The number of candidates is bounded, so the
 * result is the same on every machine unless the time limit cuts it short.
 */
#ifndef HEDDLE_RUN_SIMPLIFY_H
#define HEDDLE_RUN_SIMPLIFY_H

#include "model/schedule.h"
#include "run/confirm/confirm.h"

struct run_simplify_opts {
	uint64_t attempts;
	uint64_t limit_ns;
};

#define RUN_SIMPLIFY_DEFAULT                                                                       \
	{                                                                                          \
		2000, UINT64_C(5000000000)                                                         \
	}

struct run_simplify_stats {
	uint64_t attempts, segments_before, segments_after;
};

/* Segments of a schedule. */
size_t run_schedule_segments(const struct wire_choice *choices, size_t n);

/* Edits *s in place; it fails with `key' before and after.  */
int run_simplify(const struct run_again *a, const struct run_simplify_opts *o, uint64_t key,
		 struct model_schedule *s, struct run_simplify_stats *stats, struct err *e);

#endif
