#include "ir/canon.h"

#include <assert.h>
#include <stdbool.h>
#include <string.h>

#include <llvm-c/Core.h>
#include <llvm-c/DebugInfo.h>

#include "base/fs.h"
#include "ir/function.h"
#include "ir/header.h"
#include "ir/module.h"

#define POINT_METADATA "heddle.point"

static unsigned metadata_kind(LLVMValueRef instruction)
{
	LLVMContextRef ctx = LLVMGetTypeContext(LLVMTypeOf(instruction));

	return LLVMGetMDKindIDInContext(ctx, POINT_METADATA, sizeof(POINT_METADATA) - 1);
}

enum ir_point_kind ir_canon_kind(LLVMValueRef instruction)
{
	LLVMValueRef callee;

	switch (LLVMGetInstructionOpcode(instruction)) {
	case LLVMBr:
		return LLVMIsConditional(instruction) ? IR_POINT_BRANCH : IR_POINT_NONE;
	case LLVMSwitch:
		return IR_POINT_SWITCH;
	case LLVMIndirectBr:
		return IR_POINT_GOTO;
	case LLVMCall:
	case LLVMInvoke:
		callee = LLVMGetCalledValue(instruction);
		return LLVMIsAFunction(callee) || LLVMIsAGlobalAlias(callee) ||
				       LLVMIsAInlineAsm(callee) || LLVMIsAGlobalIFunc(callee)
			       ? IR_POINT_NONE
			       : IR_POINT_CALL;
	default:
		return IR_POINT_NONE;
	}
}

uint32_t ir_canon_point(LLVMValueRef instruction)
{
	LLVMValueRef node = LLVMHasMetadata(instruction)
				    ? LLVMGetMetadata(instruction, metadata_kind(instruction))
				    : NULL;
	LLVMValueRef number;

	if (!node)
		return IR_CANON_NONE;
	assert(LLVMGetMDNodeNumOperands(node) == 1);
	LLVMGetMDNodeOperands(node, &number);
	return (uint32_t)LLVMConstIntGetZExtValue(number);
}

static void set_number(LLVMValueRef instruction, uint32_t number)
{
	LLVMContextRef ctx = LLVMGetTypeContext(LLVMTypeOf(instruction));
	LLVMValueRef value = LLVMConstInt(LLVMInt32TypeInContext(ctx), number, 0);
	LLVMMetadataRef operand = LLVMValueAsMetadata(value);
	LLVMMetadataRef node = LLVMMDNodeInContext2(ctx, &operand, 1);

	LLVMSetMetadata(instruction, metadata_kind(instruction), LLVMMetadataAsValue(ctx, node));
}

typedef void (*visit_fn)(LLVMValueRef instruction, void *arg);

static void each_instruction(LLVMModuleRef mod, visit_fn visit, void *arg)
{
	for (LLVMValueRef f = LLVMGetFirstFunction(mod); f; f = LLVMGetNextFunction(f))
		for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
			for (LLVMValueRef i = LLVMGetFirstInstruction(b); i;
			     i = LLVMGetNextInstruction(i))
				visit(i, arg);
}

static void number_one(LLVMValueRef instruction, void *arg)
{
	uint32_t *next = arg;

	if (ir_canon_kind(instruction) != IR_POINT_NONE)
		set_number(instruction, (*next)++);
}

int ir_canon_split_coroutines(LLVMModuleRef mod, struct err *e)
{
	for (LLVMValueRef f = LLVMGetFirstFunction(mod); f; f = LLVMGetNextFunction(f))
		if (ir_function_has(f, "presplitcoroutine"))
			return ir_module_run_passes(
				mod, "coro-early,cgscc(coro-split),coro-cleanup", e);
	return 0;
}

int ir_canon_module(LLVMModuleRef mod, struct err *e)
{
	uint32_t next = 0;
	int rc;

	LLVMSetIsNewDbgInfoFormat(mod, 0);
	rc = ir_canon_split_coroutines(mod, e);
	if (!rc)
		rc = ir_header_inline(mod, e);
	if (!rc)
		rc = ir_module_run_passes(mod, "function(sroa)", e);
	if (!rc)
		each_instruction(mod, number_one, &next);
	return rc;
}

static void collect_one(LLVMValueRef instruction, void *arg)
{
	struct ir_points *p = arg;
	uint32_t number = ir_canon_point(instruction);

	if (number == IR_CANON_NONE)
		return;
	while (p->count <= number)
		vec_push(p, NULL);
	assert(!p->items[number]);
	p->items[number] = instruction;
}

void ir_canon_points(LLVMModuleRef mod, struct ir_points *out)
{
	memset(out, 0, sizeof(*out));
	each_instruction(mod, collect_one, out);
}

/* ---- hash ---- */

static void mix(uint64_t *hash, uint64_t word)
{
	*hash = fs_hash(*hash, &word, sizeof(word));
}

static void mix_name(uint64_t *hash, LLVMValueRef value)
{
	size_t bytes;
	const char *name = LLVMGetValueName2(value, &bytes);

	mix(hash, bytes);
	*hash = fs_hash(*hash, name, bytes);
}

static void mix_operand(uint64_t *hash, LLVMValueRef operand)
{
	mix(hash, (uint64_t)LLVMGetValueKind(operand));
	if (LLVMIsAConstantInt(operand) && LLVMGetIntTypeWidth(LLVMTypeOf(operand)) <= 64)
		mix(hash, LLVMConstIntGetZExtValue(operand));
	else if (LLVMIsAFunction(operand) || LLVMIsAGlobalVariable(operand))
		mix_name(hash, operand);
}

static bool is_marker(LLVMValueRef instruction)
{
	return LLVMIsACallInst(instruction) &&
	       !strncmp(ir_function_intrinsic(instruction), "llvm.dbg.", 9);
}

static void hash_one(LLVMValueRef instruction, void *arg)
{
	int n = LLVMGetNumOperands(instruction);

	if (is_marker(instruction))
		return;
	mix(arg, (uint64_t)LLVMGetInstructionOpcode(instruction) << 32 | (uint32_t)n);
	for (int i = 0; i < n; i++)
		mix_operand(arg, LLVMGetOperand(instruction, (unsigned)i));
	if (LLVMIsATerminatorInst(instruction))
		mix(arg, LLVMGetNumSuccessors(instruction));
}

uint64_t ir_canon_hash(LLVMModuleRef mod)
{
	uint64_t hash = FS_HASH_START;

	mix(&hash, IR_CANON_VERSION);
	for (LLVMValueRef f = LLVMGetFirstFunction(mod); f; f = LLVMGetNextFunction(f))
		if (!LLVMIsDeclaration(f)) {
			mix_name(&hash, f);
			mix(&hash, LLVMCountBasicBlocks(f));
		}
	each_instruction(mod, hash_one, &hash);
	return hash;
}
