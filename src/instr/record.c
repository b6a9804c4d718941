#include "instr/record.h"

#include <string.h>

#include <llvm-c/Core.h>
#include <llvm-c/DebugInfo.h>

#include "instr/body.h"
#include "instr/branch.h"
#include "instr/record_bit.h"
#include "instr/split.h"
#include "ir/function.h"

void record_choose(struct record_choice *c, LLVMModuleRef canonical, bool all)
{
	struct ir_points points;

	ir_canon_points(canonical, &points);
	c->head.points = (uint32_t)points.count;
	c->head.flags = all ? RECORD_MARKS_ALL : 0;
	vec_clear(&c->words);
	for (size_t i = 0; i < points.count; i++) {
		if (i % 64 == 0)
			vec_push(&c->words, 0);
		if (all || branch_depends_on_data(record_condition(points.items[i])))
			vec_last(&c->words) |= UINT64_C(1) << (i % 64);
	}
	vec_free(&points);
}

static const struct {
	const char *name;
	unsigned kind;
} input_calls[] = {
#define X(name, kind) {#name, RECORD_IN_##kind},
#include "wire/input_calls.def"
#undef X
};

static int input_kind(const char *symbol)
{
	for (size_t i = 0; i < sizeof(input_calls) / sizeof(input_calls[0]); i++)
		if (!strcmp(input_calls[i].name, symbol))
			return (int)input_calls[i].kind;
	return -1;
}

bool record_input_logged(const char *symbol)
{
	return input_kind(symbol) > RECORD_IN_NONE;
}

bool record_input_same(const char *symbol)
{
	return input_kind(symbol) == RECORD_IN_NONE;
}

LLVMValueRef record_condition(LLVMValueRef point)
{
	return ir_canon_kind(point) == IR_POINT_CALL ? LLVMGetCalledValue(point)
						     : LLVMGetOperand(point, 0);
}

/* ---- points ---- */

/* Which successor a computed goto takes, by comparing with their addresses. */
LLVMValueRef record_goto_direction(struct unit *u, LLVMValueRef jump)
{
	LLVMValueRef function = LLVMGetBasicBlockParent(LLVMGetInstructionParent(jump));
	LLVMValueRef direction = unit_i32(u, 0), to = LLVMGetOperand(jump, 0);

	for (unsigned i = LLVMGetNumSuccessors(jump); i-- > 1;) {
		LLVMValueRef label = LLVMBlockAddress(function, LLVMGetSuccessor(jump, i));
		LLVMValueRef same = LLVMBuildICmp(u->build, LLVMIntEQ, to, label, "");

		direction = LLVMBuildSelect(u->build, same, unit_i32(u, i), direction, "");
	}
	return direction;
}

static void record_point(struct record_bits *b, LLVMValueRef point)
{
	LLVMValueRef value = record_condition(point);
	struct unit *u = b->u;

	unit_build_before(u, point);
	switch (ir_canon_kind(point)) {
	case IR_POINT_BRANCH:
		record_bits_branch(b, point);
		break;
	case IR_POINT_SWITCH:
		value = branch_switch_direction(u, point);
		record_bits_number(b, value, record_width(LLVMGetNumSuccessors(point)));
		break;
	case IR_POINT_GOTO:
		record_bits_number(b, record_goto_direction(u, point),
				   record_width(LLVMGetNumSuccessors(point)));
		break;
	case IR_POINT_CALL:
		record_bits_target(b, value);
		break;
	case IR_POINT_NONE:
		break;
	}
}

bool record_may_change(LLVMValueRef function)
{
	return !ir_function_has(function, "naked") && !split_is_resolver(function);
}

/* Points of one function lie side by side. */
static void record_one(struct record_bits *b, LLVMValueRef point, LLVMValueRef *within)
{
	LLVMValueRef function = LLVMGetBasicBlockParent(LLVMGetInstructionParent(point));

	if (*within != function)
		record_bits_enter(b, function);
	*within = function;
	record_point(b, point);
}

void record_take_back(struct unit *u, struct record_choice *c)
{
	struct ir_points points;

	ir_canon_points(u->mod, &points);
	for (uint32_t i = 0; i < points.count; i++)
		if (record_chosen(c, i) && !record_may_change(LLVMGetBasicBlockParent(
						   LLVMGetInstructionParent(points.items[i]))))
			c->words.items[i / 64] &= ~(UINT64_C(1) << (i % 64));
	vec_free(&points);
}

void record_drop_promises(struct unit *u)
{
	size_t bytes;

	for (LLVMValueRef f = LLVMGetFirstFunction(u->mod); f; f = LLVMGetNextFunction(f))
		if (!LLVMGetIntrinsicID(f) &&
		    strcmp(LLVMGetValueName2(f, &bytes), RECORD_BITS_SPILL))
			body_drop_all_promises(f);
}

void record_points(struct unit *u, struct record_choice *c)
{
	struct record_bits bits = {.u = NULL};
	LLVMValueRef within = NULL;
	struct ir_points points;

	ir_canon_points(u->mod, &points);
	for (uint32_t i = 0; i < points.count; i++) {
		if (!record_chosen(c, i))
			continue;
		if (!bits.u)
			record_bits_init(&bits, u);
		record_one(&bits, points.items[i], &within);
	}
	vec_free(&points);
}
