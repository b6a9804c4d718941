/*
 * The canonical form of a translation unit, and the numbers of its points.
 *
 * Three parties must mean the same instruction when they say "branch 17 of this unit": the recorder,
 * which logs the way a run took; the path executor, which follows it; and the check flavour, under
 * which the result is replayed.  All three start from the bitcode kept in the binary and bring it
 * into one form by the same steps: coroutines split, small functions of system headers inlined,
 * locals in registers.  Nothing of the steps depends on the machine, the time or the flavour.
 *
 * A *point* is an instruction whose successor is not known from the code alone: a conditional
 * branch, a switch, a computed goto, a call through a pointer.  Points are numbered from 0 in the
 * order in which they stand in the unit, and carry their number as metadata; whoever changes the
 * module afterwards (the instrumenter of either flavour) leaves terminators and calls in place, so
 * that a point keeps its number.  What a change adds has none.
 *
 * The hash covers what the numbers rest on: names of functions, kinds and operands of instructions.
 * Two parties with equal hashes have the same points.  It does not cover debug information.
 *
 * Directions: of a branch 1 when its condition holds, else 0; of a switch the number of the
 * successor, 0 for the default; of a computed goto the number of the successor; of a call the
 * function called.
 */
#ifndef HEDDLE_IR_CANON_H
#define HEDDLE_IR_CANON_H

#include <stdint.h>

#include <llvm-c/Types.h>

#include "base/err.h"
#include "base/vec.h"

#define IR_CANON_VERSION 1
#define IR_CANON_NONE UINT32_MAX

enum ir_point_kind {
	IR_POINT_NONE,
	IR_POINT_BRANCH,
	IR_POINT_SWITCH,
	IR_POINT_GOTO,
	IR_POINT_CALL,
};

/* Entry n is point n. */
struct ir_points {
	VEC_FIELDS(LLVMValueRef);
};

/*
 * Brings the module into canonical form and numbers its points.  The module must be as parsed from
 * the bitcode that is kept.  Its debug information has the old form (intrinsics) afterwards.
 */
int ir_canon_module(LLVMModuleRef mod, struct err *e);

enum ir_point_kind ir_canon_kind(LLVMValueRef instruction);
/* The number the instruction carries, IR_CANON_NONE when it is no point. */
uint32_t ir_canon_point(LLVMValueRef instruction);
/* All points of a module in canonical form, also after it was instrumented; vec_free() it. */
void ir_canon_points(LLVMModuleRef mod, struct ir_points *out);

/* Of the canonical form: to be asked before anything is added to the module. */
uint64_t ir_canon_hash(LLVMModuleRef mod);

/* The first step alone, for a copy of the module that need not be canonical. */
int ir_canon_split_coroutines(LLVMModuleRef mod, struct err *e);

#endif
