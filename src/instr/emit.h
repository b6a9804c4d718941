/*
 * What an instrumented unit carries besides code (wire/site.h): the table of its functions, its
 * bitcode as it was before instrumentation, and the constructor that registers the module.
 */
#ifndef HEDDLE_INSTR_EMIT_H
#define HEDDLE_INSTR_EMIT_H

#include "instr/split.h"
#include "instr/unit.h"

/* Sites, strings and functions into u->mod, and the constructor. */
void emit_tables(struct unit *u, const struct split *s, const char *source);

struct emit_bitcode {
	const void *bytes;
	size_t count;
	const char *source;	 /* name of the unit */
	const char *const *args; /* code generation options, NULL-terminated */
};
void emit_bitcode(struct unit *u, const struct emit_bitcode *bitcode);

#endif
