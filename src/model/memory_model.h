/*
 * Memory models as data: what a store buffer looks like and which pairs of one thread's accesses to
 * different locations keep their order.  Pairs to the same location keep it in every model, and
 * RMW, fences, synchronisation and the end of a thread wait for empty buffers.
 */
#ifndef HEDDLE_MODEL_MEMORY_MODEL_H
#define HEDDLE_MODEL_MEMORY_MODEL_H

#include <stdbool.h>

#include "wire/ctl.h"

struct model_memory {
	const char *name;	 /* "sc", as the user writes it */
	const char *title;	 /* "sequential consistency" */
	bool buffered;		 /* stores are issued first and reach memory later */
	bool queue_per_location; /* one FIFO per thread and location, not one per thread */
	bool keeps_write_read;
	bool keeps_write_write;
	bool keeps_read_read;
	bool keeps_read_write;
};

/* NULL for a number that is no enum wire_model. */
const struct model_memory *model_memory_get(unsigned model);
/* enum wire_model of a name, in any case; -1 when there is none. */
int model_memory_find(const char *name);

#endif
