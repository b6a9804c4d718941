/* Two executions event by event: the first difference. */
#ifndef HEDDLE_RUN_COMPARE_H
#define HEDDLE_RUN_COMPARE_H

#include <stdbool.h>
#include <stddef.h>

#include "run/guest/result.h"
#include "trace/bundle/bundle.h"

enum run_difference_kind {
	RUN_SAME,
	RUN_EVENT_DIFFERS,   /* at index, both sides have one */
	RUN_ENDED_EARLIER,   /* the replay has no event at index, the recording has */
	RUN_WENT_ON,	     /* the other way round */
	RUN_OUTCOME_DIFFERS, /* all events are the same, the end is not */
};

struct run_difference {
	enum run_difference_kind kind;
	size_t index;
};

/* Events that the recording lost are not missed. */
struct run_difference run_compare(const struct trace_bundle *recorded,
				  const struct run_result *replayed);

/* The same failure, or none in both. */
bool run_compare_outcome(const struct trace_bundle *recorded, const struct run_result *replayed);

#endif
