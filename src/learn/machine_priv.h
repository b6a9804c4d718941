/* Shared by the parts of machine.h; private to them. */
#ifndef HEDDLE_LEARN_MACHINE_PRIV_H
#define HEDDLE_LEARN_MACHINE_PRIV_H

#include "learn/machine.h"

/* What thread t would read there: memory under its own stores. */
uint64_t machine_load(const struct machine *m, machine_config *c, uint32_t t, uint32_t offset,
		      uint32_t size);
/* What a step that reads would find. */
uint64_t machine_outcome(const struct machine *m, machine_config *c, uint32_t t,
			 const struct learn_step *s);
/* The thread stands at its first step. */
void machine_birth(const struct machine *m, machine_config *c, uint32_t t);

#endif
