/*
 * How one of a function's two bodies is reached.
 *
 * A function that is called from other units or by address begins with a test of heddle_active and a
 * guaranteed tail call of the active body; the user's body follows.
 *
 * The name of another function (local or inline, and only called here) becomes a few instructions of
 * its own that jump to "f.plain" or "f.heddle" and touch nothing but a scratch register.  Plain bodies
 * call f.plain, active ones f.heddle, so nobody comes by, and the optimiser sees the user's code as
 * the user wrote it.
 *
 * An argument passed by value lies in the caller's frame, and a tail call would have to copy it onto
 * itself; the code generator copies it to the wrong place.  A function with such an argument is
 * always entered by a jump, so whatever the caller laid down stays as it is.
 */
#ifndef HEDDLE_INSTR_ENTRY_H
#define HEDDLE_INSTR_ENTRY_H

#include "instr/split.h"
#include "ir/ptrmap.h"

/* True when the two bodies can be reached from one entry without copying an argument. */
bool entry_possible(LLVMValueRef function);
/*
 * Puts the entry in; p->function is afterwards what the function's name stands for.  Among the plain
 * bodies are all of the unit's functions that have two.
 */
void entry_add(LLVMModuleRef mod, struct split_pair *p, const struct ptrmap *plain_bodies);

#endif
