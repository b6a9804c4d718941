/*
 * The times of a recording for the events of its threads: a stamp belongs to the event that is the
 * same number of synchronisation operations away from the beginning of its thread; events between
 * two stamps share the time between them.
 */
#ifndef HEDDLE_REPRO_STAMPS_H
#define HEDDLE_REPRO_STAMPS_H

#include "trace/bundle/recording.h"

#define REPRO_NO_TASK UINT32_MAX

struct repro_span {
	uint64_t from, to;
	double part; /* how far between them */
};

/*
 * Times for a thread's events, given by their kinds (enum event_kind; 0 for attempts in vain).  Returns how many stamps found
 * their event.
 */
uint64_t repro_stamps_spread(const struct trace_recording *r, uint32_t task, const uint8_t *kinds,
			     uint32_t n, struct repro_span *spans);

/*
 * How many synchronisation operations the thread had done when the recording ended; UINT32_MAX when
 * that is not known exactly.
 */
uint32_t repro_stamps_operations(const struct trace_recording *r, uint32_t task);

#endif
