/*
 * Memory models as data, from wire/models.def: their names, and which pairs of one thread's accesses
 * to different locations keep their order.  A read keeps its order with everything behind it, pairs to
 * the same location keep theirs in every model, and RMW, fences, synchronisation and the end of a
 * thread wait for empty buffers.
 */
#ifndef HEDDLE_MODEL_MEMORY_MODEL_H
#define HEDDLE_MODEL_MEMORY_MODEL_H

#include <stdbool.h>

#include "wire/ctl.h"

struct model_memory {
	const char *name;  /* "sc", as the user writes it */
	const char *word;  /* "SC", in reports */
	const char *title; /* "sequential consistency" */
	bool buffered;	   /* stores are issued first and reach memory later */
	bool keeps_write_read;
	bool keeps_write_write;
};

/* NULL for a number that is no enum wire_model. */
const struct model_memory *model_memory_get(unsigned model);
/* enum wire_model of a name, in any case; -1 when there is none. */
int model_memory_find(const char *name);

/* "sc|tso|pso", "auto|sc|tso|pso": the values of an option. */
#define MODEL_MEMORY_CHOICES (model_memory_choices + sizeof("auto"))
#define MODEL_MEMORY_CHOICES_OR_AUTO model_memory_choices
extern const char model_memory_choices[];

#endif
