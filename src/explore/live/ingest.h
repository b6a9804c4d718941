/*
 * From the events of one execution to the trees of learn/.
 *
 * Events become steps in the order in which they took effect.  Accesses to memory that is not
 * tracked, and events that nobody else can notice, are left out.  What main does to memory before
 * it begins the first thread is not a step either: it is the same in every execution and goes into
 * the initial contents.
 *
 * The contents of the tracked memory are followed along; a load that returned something else was
 * preceded by a write that no instrumented code made, and the execution is refused.
 */
#ifndef HEDDLE_CHECK_INGEST_H
#define HEDDLE_CHECK_INGEST_H

#include "base/limit.h"
#include "explore/live/cells.h"
#include "wire/ctl.h"

struct ingest_thread;

struct ingest_block {
	uint64_t address, size;
};

struct ingest {
	struct learn *l;
	struct cells *cells;
	unsigned model;
	bool count_visits;
	const struct limit *limit; /* may be NULL */
	bool settled; /* the initial contents are known */
	bool spurious; /* sleepers may wake up for no reason */
	bool may_spur; /* there are waits or weak compare and swaps */
	bool input;   /* a thread read from outside: taken as it came */
	bool parts;   /* threads made steps of several accesses to hidden state */
	bool destroys; /* an object was destroyed while there were several threads */
	bool held_up; /* TSO, PSO: behaviours are missing behind a call or copy that writes */
	uint32_t held_up_site;
	VEC(uint8_t) image;
	/*
	 * Which bytes of the image are certain: now, and when the first thread is begun.  What code
	 * that is not instrumented may have written before that is the same in every execution; the
	 * first who reads it says what it is.
	 */
	VEC(uint8_t) known, first_known;
	VEC(struct ingest_thread) threads; /* by number in the execution */
	VEC(struct learn_cursor) ends;
	VEC(uint32_t) classes; /* of the step at hand */
	VEC(uint32_t) range;   /* objects of an event that covers several */
	size_t held;	       /* elements of all sets when the limit was last looked at */
	VEC(uint8_t) call;     /* of the step at hand, when it is one on descriptors */
	struct ingest_name {
		uint64_t address;
		uint32_t kind, object;
	} * names; /* synchronisation objects: open hash table */
	size_t name_capacity, name_count;
	VEC(struct ingest_block) freed;
	VEC(uint8_t) requests; /* by thread in the trees: enum of ingest_cancel.c */
	VEC(uint32_t) ended; /* synchronisation objects destroyed in this execution */
};

void ingest_init(struct ingest *x, struct learn *l, struct cells *cells, unsigned model);
void ingest_fini(struct ingest *x);

/* Notes which thread touches what, for cells_layout(). */
void ingest_note(struct ingest *x, const struct wire_event *events, size_t n);

/*
 * Takes over an execution that ended as `run' says.  ERR_MISMATCH: it contradicts what is known;
 * ERR_UNSUPPORTED: it does something that is not modelled.  PRODUCT_STOP: the limit was reached
 * before its end, and the trees are of no use any more.
 */
int ingest_run(struct ingest *x, const struct wire_batch_run *run, const struct wire_event *events,
	       size_t n, struct err *e);

#endif
