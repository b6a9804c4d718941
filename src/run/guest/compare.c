#include "run/guest/compare.h"

#include <string.h>

bool run_compare_outcome(const struct trace_bundle *recorded, const struct run_result *replayed)
{
	const struct wire_failure *a = &recorded->outcome.failure, *b = &replayed->wire.failure;

	if (recorded->outcome.outcome != replayed->wire.outcome)
		return false;
	return a->kind == b->kind && a->tid == b->tid && a->site == b->site && a->addr == b->addr &&
	       a->value == b->value;
}

struct run_difference run_compare(const struct trace_bundle *recorded,
				  const struct run_result *replayed)
{
	size_t n = recorded->events.count, m = replayed->events.count, i = 0;
	struct run_difference d = {RUN_SAME, 0};

	while (i < n && i < m &&
	       memcmp(&recorded->events.items[i], &replayed->events.items[i],
		      sizeof(struct wire_event)) == 0)
		i++;
	d.index = i;
	if (i < n && i < m)
		d.kind = RUN_EVENT_DIFFERS;
	else if (i < n)
		d.kind = RUN_ENDED_EARLIER;
	else if (i < m && recorded->counters.events_lost == 0)
		d.kind = RUN_WENT_ON;
	else if (!run_compare_outcome(recorded, replayed))
		d.kind = RUN_OUTCOME_DIFFERS;
	return d;
}
