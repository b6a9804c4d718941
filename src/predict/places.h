/*
 * Memory accesses of a recording by location.
 *
 * A location is a set of bytes that accesses overlap in, taken transitively, within one life of the
 * memory: a heap block between malloc and the malloc that reuses it, a thread's stack between the
 * first use by one thread and by the next.  When all accesses of a location have the same extent it
 * is an ordinary variable.  Otherwise it is mixed, and a write that does not cover it is taken as
 * reading the rest: its order among the writes is then kept, which may lose a reordering but never
 * invents one.
 */
#ifndef HEDDLE_PREDICT_PLACES_H
#define HEDDLE_PREDICT_PLACES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/vec.h"
#include "trace/bundle.h"

struct predict_place {
	uint64_t life; /* which life of the memory */
	uint64_t from, to;
	bool mixed;
	uint32_t loc; /* for the user: number once it has one, UINT32_MAX before */
};

struct predict_places {
	VEC(struct predict_place) places; /* by life, then address */
	uint32_t *place_of;		  /* by wire event: place, UINT32_MAX when none */
	uint64_t *life_of;		  /* by wire event: of its address */
};

void predict_places_init(struct predict_places *p, const struct trace_bundle *b);
void predict_places_fini(struct predict_places *p);
/* Places of one life: the range [*from, *to). */
void predict_places_of_life(const struct predict_places *p, uint64_t life, uint32_t *from,
			    uint32_t *to);
/* The place that holds this address, UINT32_MAX when nobody accesses it. */
uint32_t predict_places_find(const struct predict_places *p, uint64_t life, uint64_t addr);
/* Bytes the event touches; 0 when it is no access. */
uint64_t predict_places_bytes(const struct wire_event *e);

#endif
