/* Executions made by hand, event by event, and the trees learned from them. */
#ifndef HEDDLE_TESTS_UNIT_EXPLORE_SUPPORT_EVENTS_H
#define HEDDLE_TESTS_UNIT_EXPLORE_SUPPORT_EVENTS_H

#include "unit.h"

#include "explore/live/ingest.h"

struct events {
	struct learn l;
	struct cells cells;
	struct ingest in;
	VEC(struct wire_event) events;
	uint32_t tix[4];
	struct err e;
};

void events_begin(struct events *f);
void events_end(struct events *f);

/* A new execution; its next event. */
void events_clear(struct events *f);
void events_add(struct events *f, uint16_t tid, uint8_t kind, uint64_t addr, uint64_t value,
		uint32_t aux);
/* What is shared follows from the events so far; the trees need to know before they grow. */
void events_prepare(struct events *f);
/* Takes the execution over. */
int events_take(struct events *f);

#endif
