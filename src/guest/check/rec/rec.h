/*
 * The log of a run: events, choices, notes, in the control block, and the registry of modules that
 * gives sites their numbers.
 *
 * Logs have fixed room; what does not fit is counted as lost, never written elsewhere.
 */
#ifndef HEDDLE_RT_REC_REC_H
#define HEDDLE_RT_REC_REC_H

#include "guest/check/rt.h"

/* Appends an event of the current thread and raises its tix. */
void rec_event(enum event_kind kind, uint32_t site, uint64_t addr, uint64_t value, uint32_t aux);
/* The same with an access size. */
void rec_access(enum event_kind kind, uint8_t size, uint32_t site, uint64_t addr, uint64_t value,
		uint32_t aux);
/* An event with everything given: commits of buffered stores, which have their issue's tix. */
void rec_raw(const struct wire_event *event);
/*
 * A marker (BRANCH, ENTER, CALL): logged only with JOB_MARKERS, calls with JOB_DETAILS too; takes a
 * tix in any case.
 */
void rec_marker(enum event_kind kind, uint32_t site, uint64_t addr, uint64_t value);

/* The frames of the running thread end at sp.  Takes no tix. */
void rec_stack(uint64_t sp);
/*
 * A point at which the thread waits for its store buffers; takes a tix unless the model is SC.
 * needless: no processor would have to.
 */
void rec_drain(uint32_t site, bool needless);
/* The n bytes at addr, read or written by the event before. */
void rec_data(const void *addr, size_t n);
/* Whether the job wants such details. */
bool rec_details(void);

/* Appends a choice, merging repeated RUNs of one thread. */
void rec_choice(enum choice_kind kind, uint32_t tid, uint32_t arg);

/* Starts the log of a new run according to the job's flags. */
void rec_run_begin(void);

/* Number of a site record, SITE_NONE when it belongs to no registered module. */
uint32_t rec_site_slow(heddle_site_ref site);

extern uintptr_t rec_site_begin; /* of the module last looked up */
extern uint32_t rec_site_count, rec_site_first;

static inline uint32_t rec_site(heddle_site_ref site)
{
	uintptr_t index = ((uintptr_t)site - rec_site_begin) / sizeof(*site);

	if (likely(index < rec_site_count))
		return rec_site_first + (uint32_t)index;
	return rec_site_slow(site);
}

/* The record of a site number, NULL when there is none. */
heddle_site_ref rec_site_record(uint32_t site);

/* Whether a function belongs to instrumented code. */
bool rec_is_instrumented(const void *function);
/* Whether addr lies in the image (code or global variables) of a registered module. */
bool rec_in_module(uint64_t addr);
/* Registers a module; repeats are ignored.  Before main or from dlopen, never in a handler. */
void rec_module_add(const struct heddle_site *sites_begin, const struct heddle_site *sites_end,
		    const struct heddle_function *funcs_begin,
		    const struct heddle_function *funcs_end);

#endif
