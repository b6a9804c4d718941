/* What is known of library functions by name; the table is calls.def. */
#ifndef HEDDLE_INSTR_CALLS_H
#define HEDDLE_INSTR_CALLS_H

enum calls_class {
	CALLS_OPAQUE, /* not in the table */
	CALLS_PURE,
	CALLS_MODEL,
	CALLS_QUIET,
};

enum calls_class calls_find(const char *symbol);

#endif
