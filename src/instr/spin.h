/*
 * Loops that keep no state of their own.
 *
 * An iteration of such a loop is a function of what it reads from shared memory: when it wrote
 * nothing and the values it read are still there, the next one will do the same, and the guest may
 * park the thread until one of those values changes.  A loop is marked when
 *
 *   - what one iteration carries into the next (phis of its header) does not depend on what it was
 *     handed itself; the values go to the guest, because with other ones the next iteration is
 *     another one.  Counters that decide nothing but how long it waits do not matter (spin_idle.h),
 *   - it stores nothing into private memory and allocates none,
 *   - it calls only functions that keep no state outside watched memory: those the table calls
 * QUIET or only read, and functions of the module that themselves call nothing else
 * (spin_find_quiet()),
 *   - it reads watched memory at all.
 *
 * Leaving a loop unmarked is always safe.
 */
#ifndef HEDDLE_INSTR_SPIN_H
#define HEDDLE_INSTR_SPIN_H

#include "instr/escape.h"
#include "instr/unit.h"
#include "ir/cfg.h"

/* Fills u->quiet for the whole module, before anything is instrumented. */
void spin_find_quiet(struct unit *u);

/* Found before instrumentation changes the function. */
struct spin_edge {
	LLVMBasicBlockRef from, to;
	LLVMBasicBlockRef middle; /* once it has a block of its own */
};
struct spin_loop {
	VEC(struct spin_edge) enters; /* from outside to the header */
	VEC(struct spin_edge) ends;   /* of iterations */
	VEC(uint32_t) idle; /* phis of the header, counted, that only decide how long it waits */
	bool carries;	    /* what the others hand on matters */
	bool collects;	    /* the first iteration begins where the loop is entered */
};
struct spin_marks {
	VEC(struct spin_loop) loops;
};
void spin_find(struct unit *u, const struct escape *x, const struct cfg *c, struct spin_marks *out);
/* Puts the hooks on the edges. */
void spin_mark(struct unit *u, struct spin_marks *marks);

/* A pointer or a whole number of at most 64 bits. */
bool spin_is_number(LLVMValueRef value);
bool spin_leads_to(LLVMBasicBlockRef from, LLVMBasicBlockRef to);
void spin_marks_fini(struct spin_marks *marks);

#endif
