/* What is known of library functions by name; the table is calls.def. */
#ifndef HEDDLE_INSTR_CALLS_H
#define HEDDLE_INSTR_CALLS_H

#include <stdbool.h>

enum calls_class {
	CALLS_OPAQUE, /* not in the table */
	CALLS_MODEL,
	CALLS_QUIET,
};

/* What a call of a modelled function tells; the words are explained in calls.def. */
enum calls_tells {
	CALLS_WORLD, /* also of functions that are not in the table */
	CALLS_PLAIN,
	CALLS_OWN,
	CALLS_TRIES,
	CALLS_COMPUTES,
	CALLS_GIVES,
	CALLS_BEGINS,
};

enum calls_class calls_find(const char *symbol);
enum calls_tells calls_tells(const char *symbol);

/* What a function does to memory (wire/outside.h); NULL when that is not known. */
const char *calls_effects(const char *symbol);
/* Such effects are reads of memory and nothing else, or none at all. */
bool calls_only_reads(const char *effects);

#endif
