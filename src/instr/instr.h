/* The door of the room: bitcode of one translation unit in, instrumented bitcode out. */
#ifndef HEDDLE_INSTR_INSTR_H
#define HEDDLE_INSTR_INSTR_H

#include <stdbool.h>

#include "base/err.h"
#include "instr/flavor.h"

struct instr_options {
	const struct instr_flavor *flavor;
	const char *source;	 /* name of the translation unit as the user gave it */
	const char *const *args; /* code generation options to keep with the bitcode, NULL-ended */
	bool keep_debug;	 /* the user asked for debug information */
};

/* Reads in_path, writes out_path (atomically, or not at all). */
int instr_file(const char *in_path, const char *out_path, const struct instr_options *options,
	       struct err *e);

#endif
