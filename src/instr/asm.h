/*
 * Inline assembly that is understood becomes the instructions it stands for, before anything else is
 * looked at: locked arithmetic, exchanges and bit tests become atomics, moves to and from memory
 * become accesses with the ordering x86 gives them, the three fences become fences of their own kind,
 * block moves become block operations, a reading of the time stamp counter becomes one of the clock.
 * What the rest of the room makes of such instructions then holds for assembly too.  The plain body
 * keeps the assembly.
 *
 * A template is carried out in thought, statement by statement, on values instead of registers.  It is
 * understood as a whole or not at all; what is not is left in place, and call.h says what the guest
 * is told about it.
 */
#ifndef HEDDLE_INSTR_ASM_H
#define HEDDLE_INSTR_ASM_H

#include "instr/unit.h"

/* Replaces every understood inline assembly and x86 intrinsic of u->mod. */
void asm_translate(struct unit *u);
/*
 * True when an assembly that was left in place may touch memory or ask the system: it has a memory
 * operand, a memory clobber or a pointer, or a statement that is neither arithmetic nor known.
 */
bool asm_may_touch(LLVMValueRef call);

#endif
