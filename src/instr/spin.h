/*
 * Loops that keep no state of their own.
 *
 * An iteration of such a loop is a function of what it reads from shared memory: when it wrote
 * nothing and the values it read are still there, the next one will do the same, and the guest may
 * park the thread until one of those values changes.  A loop is marked when
 *
 *   - no value computed in one iteration is carried into the next (a phi of its header), not even
 *     one that was read: with it, the next iteration is another one,
 *   - it stores nothing into private memory and allocates none,
 *   - it calls only functions that keep no state outside watched memory: those the table calls
 * QUIET or PURE, and functions of the module that themselves call nothing else (spin_find_quiet()),
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

/* Back edges the hook belongs on, found before instrumentation changes the function. */
struct spin_edge {
	LLVMBasicBlockRef from, to;
};
struct spin_marks {
	VEC(struct spin_edge) edges;
};
void spin_find(struct unit *u, const struct escape *x, const struct cfg *c, struct spin_marks *out);
void spin_mark(struct unit *u, const struct spin_marks *marks);
void spin_marks_fini(struct spin_marks *marks);

#endif
