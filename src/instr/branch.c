#include "instr/branch.h"

#include <string.h>

#include <llvm-c/Core.h>

#include "instr/escape.h"
#include "instr/site.h"
#include "ir/debug.h"
#include "wire/event.h"
#include "wire/site.h"

bool branch_depends_on_data(LLVMValueRef value)
{
	VEC(LLVMValueRef) work = VEC_INIT;
	struct ptrmap seen = PTRMAP_INIT;
	bool data = false;

	vec_push(&work, value);
	while (work.count && !data) {
		LLVMValueRef v = vec_pop(&work);

		if (LLVMIsAArgument(v)) {
			data = true;
		} else if (LLVMIsAInstruction(v) && ptrmap_add(&seen, v)) {
			data = LLVMIsALoadInst(v) || LLVMIsACallInst(v) || LLVMIsAInvokeInst(v) ||
			       LLVMIsAAtomicRMWInst(v) || LLVMIsAAtomicCmpXchgInst(v) ||
			       LLVMIsAVAArgInst(v) || LLVMIsALandingPadInst(v);
			for (int i = 0; i < LLVMGetNumOperands(v); i++)
				vec_push(&work, LLVMGetOperand(v, (unsigned)i));
		}
	}
	ptrmap_free(&seen);
	vec_free(&work);
	return data;
}

static uint32_t back_edge_flag(const struct cfg *c, LLVMValueRef terminator)
{
	uint32_t from, to;

	if (!cfg_index(c, LLVMGetInstructionParent(terminator), &from))
		return 0;
	for (unsigned i = 0; i < LLVMGetNumSuccessors(terminator); i++)
		if (cfg_index(c, LLVMGetSuccessor(terminator, i), &to) &&
		    cfg_dominates(c, to, from))
			return SITE_BACK_EDGE;
	return 0;
}

LLVMValueRef branch_switch_direction(struct unit *u, LLVMValueRef terminator)
{
	LLVMValueRef value = LLVMGetOperand(terminator, 0);
	LLVMValueRef direction = unit_i32(u, 0);

	for (unsigned i = 1; i < LLVMGetNumSuccessors(terminator); i++) {
		LLVMValueRef label = LLVMGetOperand(terminator, 2 * i);
		LLVMValueRef same = LLVMBuildICmp(u->build, LLVMIntEQ, value, label, "");

		direction = LLVMBuildSelect(u->build, same, unit_i32(u, i), direction, "");
	}
	return direction;
}

void branch_mark(struct unit *u, const struct cfg *c, LLVMValueRef terminator)
{
	struct site_what what = {EVENT_BRANCH, 0, 0, NULL};
	LLVMValueRef condition, direction;
	bool is_switch = LLVMIsASwitchInst(terminator) != NULL;

	bool is_jump = LLVMGetInstructionOpcode(terminator) == LLVMIndirectBr;

	if (!is_switch && !is_jump &&
	    (!LLVMIsABranchInst(terminator) || !LLVMIsConditional(terminator)))
		return;
	condition = LLVMGetOperand(terminator, 0);
	if (!branch_depends_on_data(condition))
		return;
	unit_build_before(u, terminator);
	if (is_jump)
		direction = unit_i32(u, 0); /* that it jumped is known, not where to */
	else
		direction = is_switch ? branch_switch_direction(u, terminator)
				      : LLVMBuildZExt(u->build, condition, u->i32, "");
	what.flags = back_edge_flag(c, terminator);
	unit_call_hook(u, HOOK_BRANCH, (LLVMValueRef[]){direction, site_add(u, terminator, &what)},
		       2);
}

/* The pointer behind a number made of it; NULL when it is no pointer. */
static LLVMValueRef pointer_behind(LLVMValueRef value)
{
	if (LLVMIsAPtrToIntInst(value))
		value = LLVMGetOperand(value, 0);
	return LLVMGetTypeKind(LLVMTypeOf(value)) == LLVMPointerTypeKind ? value : NULL;
}

/* May it be an address in the heap that was kept from earlier? */
static bool may_be_kept(LLVMValueRef pointer)
{
	LLVMValueRef root = pointer ? escape_root(pointer) : NULL;

	return root && !LLVMIsConstant(root) && !LLVMIsAAllocaInst(root);
}

/* The C++ library's own comparisons put up with a block that lies where an older one lay. */
static bool in_library(LLVMValueRef instruction)
{
	struct ir_location at;

	return ir_debug_location(instruction, &at) && at.file &&
	       memmem(at.file, at.file_bytes, "/c++/", 5) != NULL;
}

void branch_compare(struct unit *u, LLVMValueRef comparison)
{
	LLVMIntPredicate predicate = LLVMGetICmpPredicate(comparison);
	LLVMValueRef a = pointer_behind(LLVMGetOperand(comparison, 0));
	LLVMValueRef b = pointer_behind(LLVMGetOperand(comparison, 1));

	if ((predicate != LLVMIntEQ && predicate != LLVMIntNE) || !may_be_kept(a) ||
	    !may_be_kept(b) || escape_root(a) == escape_root(b) || in_library(comparison))
		return;
	unit_build_before(u, comparison);
	unit_call_hook(u, HOOK_COMPARE, (LLVMValueRef[]){a, b}, 2);
}
