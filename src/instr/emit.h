/*
 * What an instrumented unit carries besides code (wire/site.h): the table of its functions, its
 * bitcode as it was before instrumentation, and the constructor that registers the module.
 */
#ifndef HEDDLE_INSTR_EMIT_H
#define HEDDLE_INSTR_EMIT_H

#include "instr/split.h"
#include "instr/unit.h"
#include "wire/record.h"

/* Sites, strings and functions into u->mod, and the constructor. */
void emit_tables(struct unit *u, const struct split *s, const char *source);

/* A table of the unit, in a section that is kept. */
void emit_section(struct unit *u, const char *section, const char *bytes, size_t n);
/* The same for the record flavour: marks, the table of functions, the constructor. */
void emit_record(struct unit *u, const struct record_marks *marks, const uint64_t *words,
		 const char *source);

struct emit_bitcode {
	const void *bytes;
	size_t count;
	const char *source;	 /* name of the unit */
	const char *const *args; /* code generation options, NULL-terminated */
};
void emit_bitcode(struct unit *u, const struct emit_bitcode *bitcode);

#endif
