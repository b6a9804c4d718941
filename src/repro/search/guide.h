/*
 * Schedules that follow the times of a recording.
 *
 * A recording has coarse times: at synchronisation operations and now and then between them.  An
 * execution under control has events whose places in their threads are known.  Both together give
 * every event a time: that of its stamp, or one between its neighbours'.  Events in the order of
 * these times are a schedule close to what really happened; times are shaken a little more with
 * every attempt, because what happened between two stamps is not recorded.
 *
 * A thread is known by who created it as which child.  A stamp belongs to the event that is the
 * same number of synchronisation operations away from the beginning of its thread.
 */
#ifndef HEDDLE_REPRO_GUIDE_H
#define HEDDLE_REPRO_GUIDE_H

#include "base/rng.h"
#include "base/vec.h"
#include "run/guest/result.h"
#include "trace/bundle/recording.h"

struct repro_guide;

struct repro_guide *repro_guide_new(const struct trace_recording *r);
void repro_guide_free(struct repro_guide *g);

struct repro_choices_list {
	VEC_FIELDS(struct wire_choice);
};

/*
 * Takes the events of an execution as those to be ordered.  Returns how many stamps found their
 * event: the more, the closer its threads came to their recorded ends.
 */
uint64_t repro_guide_take(struct repro_guide *g, const struct run_result *r);

/* By thread of that execution: the recorded one; borrowed. */
const uint32_t *repro_guide_tasks(const struct repro_guide *g);

/*
 * A schedule of them.  shake: 0 follows the times; 1 moves an event by up to one distance between
 * stamps of its thread.
 */
void repro_guide_draw(struct repro_guide *g, double shake, struct rng *rng,
		      struct repro_choices_list *out);

#endif
