/*
 * Flavours of a build: what of a program goes through the guest.  A flavour is a row of data; the
 * parts of this room ask the row, not the name.
 */
#ifndef HEDDLE_INSTR_FLAVOR_H
#define HEDDLE_INSTR_FLAVOR_H

#include <stdbool.h>

struct instr_flavor {
	const char *name, *summary;
	bool accesses; /* plain loads, stores, block operations */
	bool atomics;  /* atomic accesses and fences */
	bool branches; /* direction of each data-dependent branch */
	bool spins;    /* loops without state of their own */
	bool entries;  /* function entries */
	bool calls;    /* calls out of the module, names of modelled calls */
};

/* NULL when there is no such flavour. */
const struct instr_flavor *instr_flavor_find(const char *name);
/* The i-th flavour, NULL after the last. */
const struct instr_flavor *instr_flavor_at(unsigned i);

#define INSTR_FLAVOR_DEFAULT "check"

#endif
