/*
 * Memory accesses of a recording by location, byte for byte.
 *
 * A cell is a range of bytes, within one life of the memory (lives.h), that every access touches as
 * a whole or not at all: what one access covers is a run of cells, and two accesses meet exactly
 * when they have a cell in common.  Most cells are a variable; a memset of a structure covers one
 * cell per field that somebody uses.
 *
 * Cells that only one thread touches, or nobody writes, never exclude an order; of an access to
 * many cells only the others count.  An access that has no others counts as one all the same,
 * because the program makes it, unless it is to state that a library keeps, or to the id or the
 * result of a thread: these are in the recording whoever can see them.  So is the clock that sleeps
 * move on; it counts when somebody asks for the time.
 *
 * When that would still be more events than the recording is worth (a large buffer, written as a
 * whole again and again and read byte by byte), everything that overlaps, taken transitively, is
 * one mixed cell.  A write that does not cover it is taken as reading the rest: its order among the
 * writes is then kept, which may lose a reordering but never invents one.
 */
#ifndef HEDDLE_PREDICT_PLACES_H
#define HEDDLE_PREDICT_PLACES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/vec.h"
#include "trace/bundle/bundle.h"

struct predict_cell {
	uint64_t life; /* which life of the memory */
	uint64_t from, to;
	uint32_t namer; /* wire event that accesses just this, or the first that accesses it */
	uint32_t loc;	/* for the user: number once it has one, UINT32_MAX before */
	bool shared;	/* by two threads, one of which writes */
	bool mixed;
	bool given;   /* what making or joining a thread left with the one thread that uses it */
	bool unasked; /* a clock that only sleeping moves on */
};

struct predict_places {
	VEC(struct predict_cell) cells; /* by life, then address */
	uint32_t *first, *count;	/* by wire event: its cells; none when it is no access */
	uint64_t *life_of;		/* by wire event: of its address */
};

void predict_places_init(struct predict_places *p, const struct trace_bundle *b);
void predict_places_fini(struct predict_places *p);
/* Cells of one life: the range [*from, *to). */
void predict_places_of_life(const struct predict_places *p, uint64_t life, uint32_t *from,
			    uint32_t *to);
/* The cell that holds this address, UINT32_MAX when nobody accesses it. */
uint32_t predict_places_find(const struct predict_places *p, uint64_t life, uint64_t addr);
/* The access is no event for an order: of given cells or hidden state that nobody else meets. */
bool predict_places_silent(const struct predict_places *p, const struct trace_bundle *b, size_t i);
/* Bytes the event touches; 0 when it is no access. */
uint64_t predict_places_bytes(const struct wire_event *e);
bool predict_places_writes(const struct wire_event *e);

#endif
