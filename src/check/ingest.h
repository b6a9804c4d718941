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

#include "check/cells.h"
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
	bool settled; /* the initial contents are known */
	bool input;   /* a thread read from outside: taken as it came */
	VEC(uint8_t) image;
	VEC(struct ingest_thread) threads; /* by number in the execution */
	VEC(struct learn_cursor) ends;
	VEC(uint32_t) classes; /* of the step at hand */
	struct ingest_name {
		uint64_t address;
		uint32_t kind, object;
	} * names; /* synchronisation objects: open hash table */
	size_t name_capacity, name_count;
	VEC(struct ingest_block) freed;
};

void ingest_init(struct ingest *x, struct learn *l, struct cells *cells, unsigned model);
void ingest_fini(struct ingest *x);

/* Notes which thread touches what, for cells_layout(). */
void ingest_note(struct ingest *x, const struct wire_event *events, size_t n);

/*
 * Takes over an execution that ended as `run' says.  ERR_MISMATCH: it contradicts what is known;
 * ERR_UNSUPPORTED: it does something that is not modelled.
 */
int ingest_run(struct ingest *x, const struct wire_batch_run *run, const struct wire_event *events,
	       size_t n, struct err *e);

#endif
