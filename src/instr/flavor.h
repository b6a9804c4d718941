/*
 * Flavours of a build: what of a program goes through the guest.  A flavour is a row of data; the
 * parts of this room ask the row, not the name.
 */
#ifndef HEDDLE_INSTR_FLAVOR_H
#define HEDDLE_INSTR_FLAVOR_H

#include <stdbool.h>

struct instr_flavor {
	const char *name, *summary;
	bool accesses;	     /* plain loads, stores, block operations */
	bool atomics;	     /* atomic accesses and fences */
	bool branches;	     /* direction of each data-dependent branch */
	bool spins;	     /* loops without state of their own */
	bool entries;	     /* function entries */
	bool calls;	     /* calls out of the module, names of modelled calls */
	bool record;	     /* no control at all: ways taken are recorded (instr/record.h) */
	bool paths;	     /* record: numbers of paths, of all points (instr/record_path.h) */
	bool elements;	     /* record: orders of accesses to some elements (instr/element.h) */
	bool ordered;	     /* no control: atomics are surrounded by calls (instr/ordered.h) */
	const char *library; /* the runtime it is linked with */
};

/* NULL when there is no such flavour. */
const struct instr_flavor *instr_flavor_find(const char *name);
/* The i-th flavour, NULL after the last. */
const struct instr_flavor *instr_flavor_at(unsigned i);

#define INSTR_FLAVOR_DEFAULT "check"

#endif
