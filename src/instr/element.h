/*
 * Shared elements: what partial logs (wire/coop.h) speak of.
 *
 * An element is a class of places in the code that access the same variable, the same member of a
 * record whatever its instance, or, when neither is known, something of the same type: decided here
 * once, from the code alone, so that every build from the same bitcode has the same elements.
 * Locks, semaphores and conditions are elements as well; what a call does to them is in the table
 * of element.c.
 *
 * Coarser elements are stretches of code: the accesses of a basic block between two calls, in which
 * nothing can wait.  A call is a stretch of its own.
 *
 * The check flavour notes which site belongs to which element; the flavour `coop' puts calls of the
 * recording runtime around the accesses that are asked for and leaves everything else alone.
 */
#ifndef HEDDLE_INSTR_ELEMENT_H
#define HEDDLE_INSTR_ELEMENT_H

#include "instr/unit.h"

/* How an instruction uses an element. */
enum element_use {
	ELEMENT_AROUND, /* an access: its place in the order is that of the instruction */
	ELEMENT_TAKEN,	/* a call that may wait: when it has come back with 0 */
	ELEMENT_WAIT, /* waits for a condition: when it begins, and when it is over, with the mutex
		       */
};

struct element_seen {
	LLVMValueRef at; /* coop flavour: where; gone in others */
	uint32_t site;	 /* check flavour: of the unit */
	uint8_t use;
	bool writes;
	char *name;
	char *mutex;		/* WAIT: of the mutex, NULL when it is not known; NULL otherwise */
	char *function;		/* that it is in */
	uint32_t stretch, line; /* of the function, in the order of its blocks; line 0: not known */
};

struct elements {
	VEC_FIELDS(struct element_seen);
};

void elements_free(struct elements *all);

/* Is the instruction a stretch of its own, between two others? */
bool element_ends_stretch(LLVMValueRef instruction);
bool element_same_stretch(const struct element_seen *a, const struct element_seen *b);
/* Appends what the stretch that begins with this access is called. */
void element_stretch_name(const struct element_seen *first, struct strbuf *to);

/* Notes what an instruction accesses, when u->elements is there; to be called behind site_add(). */
void element_access(struct unit *u, LLVMValueRef instruction, LLVMValueRef address, bool writes);
/* The same for a call of a library function. */
void element_call(struct unit *u, LLVMValueRef call, const char *symbol);

/*
 * The coop flavour: puts the calls in.  wanted: names, one per line; the line is the number that
 * the runtime is told.  A first line COOP_WANTED_BLOCKS, which does not count: they are stretches;
 * COOP_WANTED_GLOBAL: stretches, and all have the number 0.
 */

void element_surround(struct unit *u, const struct elements *all, const char *wanted);

#endif
