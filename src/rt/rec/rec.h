/* The log of a run: events, choices, notes, in the control block. */
#ifndef HEDDLE_RT_REC_REC_H
#define HEDDLE_RT_REC_REC_H

#include "rt/rt.h"

/* Appends an event of the current thread and raises its tix. */
void rec_event(enum event_kind kind, uint32_t site, uint64_t addr, uint64_t value, uint32_t aux);
/* The same with an access size. */
void rec_access(enum event_kind kind, uint8_t size, uint32_t site, uint64_t addr, uint64_t value,
		uint32_t aux);

/* Number of a site record, SITE_NONE when it belongs to no registered module. */
uint32_t rec_site(heddle_site_ref site);

#endif
