/*
 * The site table of a unit.  Sites are numbered in the order they are added; the code refers to them
 * as constant distances from SITE_BASE, which site_emit() binds to the table.
 */
#ifndef HEDDLE_INSTR_SITE_H
#define HEDDLE_INSTR_SITE_H

#include "instr/unit.h"

#define SITE_TABLE "heddle.sites"
#define SITE_BASE "heddle.sites.open"

struct site_what {
	uint8_t kind;	  /* enum event_kind */
	uint64_t size;	  /* bytes accessed; above 255 it is recorded as 0 */
	uint32_t flags;	  /* enum site_flag */
	const char *name; /* may be NULL */
};

/* A site at the place of an instruction; the result is a constant pointer to the record. */
LLVMValueRef site_add(struct unit *u, LLVMValueRef instruction, const struct site_what *what);
/* A site at the head of a function. */
LLVMValueRef site_add_function(struct unit *u, LLVMValueRef function, const struct site_what *what);

/* Offset of a string in the strings section; equal strings are kept once. */
uint32_t site_text(struct unit *u, const char *text, size_t bytes);

/*
 * Emits strings and site records into u->mod.  source names the translation unit.  Returns the
 * global that holds the strings.
 */
LLVMValueRef site_emit(struct unit *u, const char *source);
/* The distance from a field's record to a string as a 32-bit constant. */
LLVMValueRef site_distance(struct unit *u, LLVMValueRef strings, uint32_t offset,
			   LLVMValueRef record);

#endif
