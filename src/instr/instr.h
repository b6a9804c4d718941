/* The door of the room: bitcode of one translation unit in, instrumented bitcode out. */
#ifndef HEDDLE_INSTR_INSTR_H
#define HEDDLE_INSTR_INSTR_H

#include <stdbool.h>

#include "base/err.h"
#include "instr/flavor.h"

struct record_choice;

struct instr_options {
	const struct instr_flavor *flavor;
	const char *source;	 /* name of the translation unit as the user gave it */
	const char *const *args; /* code generation options to keep with the bitcode, NULL-ended */
	bool keep_debug;	 /* the user asked for debug information */
	struct record_choice *choice; /* record flavour: marked points; NULL: what the unit tells */
	bool mark_all;		 /* record flavour: every point */
	const char *wanted;	 /* coop flavour: elements to record, one per line; NULL: none */
};

/* Reads in_path, writes out_path (atomically, or not at all). */
int instr_file(const char *in_path, const char *out_path, const struct instr_options *options,
	       struct err *e);

#endif
