/* The figures of a trace in the columns predictive analyses are compared by. */
#ifndef HEDDLE_PREDICT_STATS_H
#define HEDDLE_PREDICT_STATS_H

#include <stdint.h>

#include "predict/core.h"

struct predict_stats {
	uint64_t threads, locks, conds, vars;
	uint64_t lock_events, cond_events, reads, writes, forks, joins;
	uint64_t events;   /* accesses, lock, condition, fork and join events, and the implied begin
			      and end of each thread and init of each lock and condition */
	uint64_t recorded; /* lines or records that were read */
	uint64_t candidates; /* race candidates by lockset */
};

void predict_stats_of(const struct predict_core *c, struct predict_stats *s);

#endif
