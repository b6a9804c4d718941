/*
 * What a step of a learned thread is in a history (solve/history.h).
 *
 * A place is what events name as their object: a memory object, or several that one step touches
 * together, or a synchronisation object.  Its value is the contents when these are up to 8 bytes of
 * one object, else a hash of all that belongs to it.  A write of a part of a place is an atomic
 * access that reads the rest.
 *
 * A mutex that is only locked and unlocked has events LOCK and UNLOCK.  One that somebody tries to
 * lock, and all other synchronisation objects, are places whose value is their state: an operation
 * reads the state before it and writes the one after it.  Whether it can go on, or has to expire,
 * is a function of what it reads.
 *
 * Which objects form a place and which mutexes have a state is found out on the way; what was made
 * before looks different then, and `changed' asks for a new beginning.
 */
#ifndef HEDDLE_CHECK_MODEL_EVENT_H
#define HEDDLE_CHECK_MODEL_EVENT_H

#include "explore/learn/machine.h"
#include "solve/history.h"

struct model_object {
	uint32_t root; /* object that stands for the place */
	uint32_t next; /* ring of the objects of a place */
	bool stateful; /* mutex */
};

struct model_places {
	VEC(struct model_object) objects;
	bool changed;
	const char *left_out; /* what events cannot express, NULL when nothing was met */
};

void model_places_fini(struct model_places *p);

/* The value of a place for thread t, which may have stores under way. */
uint64_t model_place_value(struct model_places *p, const struct machine *m, machine_config *c,
			   uint32_t t, uint32_t place);

enum model_shape {
	MODEL_SILENT, /* no event */
	MODEL_PLAIN,  /* one event */
	MODEL_STORE,  /* a store that goes through the buffer, when there is one */
	MODEL_FENCED, /* a store that waits for the buffer: FENCE, the event, FENCE */
	MODEL_SLEEP,  /* WAIT: the event, then the mutex is given back */
	MODEL_WAKE,   /* first the event that sees the wake-up, then the mutex is taken */
	MODEL_LAST,   /* nothing follows */
};

/*
 * The step thread t stands at as an event: fills in everything but its index and, for atomic
 * accesses, what it writes.  *mutex is the second event of SLEEP and WAKE.
 */
enum model_shape model_event(struct model_places *p, const struct machine *m, machine_config *c,
			     uint32_t t, struct solve_event *e, struct solve_event *mutex);

#endif
