/* Who was the last at a byte of memory. */
#ifndef HEDDLE_EXPLAIN_MEMORY_H
#define HEDDLE_EXPLAIN_MEMORY_H

#include "base/lookup.h"
#include "base/vec.h"

/* Eight bytes that begin at a multiple of eight. */
struct explain_cell {
	uint64_t eight;
	uint32_t last[8]; /* UINT32_MAX: nobody */
};

/* Zeroed: nobody was anywhere. */
struct explain_memory {
	VEC(struct explain_cell) cells;
	struct lookup by_eight;
};

uint32_t explain_memory_get(const struct explain_memory *m, uint64_t addr);
void explain_memory_set(struct explain_memory *m, uint64_t addr, uint32_t who);
void explain_memory_fini(struct explain_memory *m);

#endif
