#include "ir/debug.h"

#include <string.h>

#include <llvm-c/Core.h>
#include <llvm-c/DebugInfo.h>

#include "base/debug.h"

#define MAX_OPERANDS 32
#define MAX_SCOPES 16

LLVMMetadataRef ir_debug_operand(LLVMContextRef ctx, LLVMMetadataRef node, unsigned index)
{
	LLVMValueRef operands[MAX_OPERANDS], value;
	unsigned n;

	if (!node)
		return NULL;
	value = LLVMMetadataAsValue(ctx, node);
	n = LLVMGetMDNodeNumOperands(value);
	if (n > MAX_OPERANDS || index >= n)
		return NULL;
	LLVMGetMDNodeOperands(value, operands);
	return operands[index] ? LLVMValueAsMetadata(operands[index]) : NULL;
}

const char *ir_debug_string(LLVMContextRef ctx, LLVMMetadataRef node, unsigned index,
			    unsigned *bytes)
{
	LLVMMetadataRef text = ir_debug_operand(ctx, node, index);

	if (!text || LLVMGetMetadataKind(text) != LLVMMDStringMetadataKind)
		return NULL;
	return LLVMGetMDString(LLVMMetadataAsValue(ctx, text), bytes);
}

static LLVMMetadataRef enclosing_subprogram(LLVMContextRef ctx, LLVMMetadataRef scope)
{
	for (int i = 0; scope && i < 256; i++) {
		if (LLVMGetMetadataKind(scope) == LLVMDISubprogramMetadataKind)
			return scope;
		scope = ir_debug_operand(ctx, scope, DEBUG_SCOPE);
	}
	return NULL;
}

static void fill_file(struct ir_location *out, LLVMMetadataRef scope)
{
	LLVMMetadataRef file = scope ? LLVMDIScopeGetFile(scope) : NULL;

	out->file = out->dir = "";
	out->file_bytes = out->dir_bytes = 0;
	if (!file)
		return;
	out->file = LLVMDIFileGetFilename(file, &out->file_bytes);
	out->dir = LLVMDIFileGetDirectory(file, &out->dir_bytes);
}

bool ir_debug_function_location(LLVMValueRef function, struct ir_location *out)
{
	LLVMMetadataRef sub = LLVMGetSubprogram(function);

	if (!sub)
		return false;
	fill_file(out, sub);
	out->line = LLVMDISubprogramGetLine(sub);
	out->column = 0;
	out->subprogram = sub;
	return true;
}

bool ir_debug_location(LLVMValueRef instruction, struct ir_location *out)
{
	LLVMValueRef function = LLVMGetBasicBlockParent(LLVMGetInstructionParent(instruction));
	LLVMContextRef ctx = LLVMGetModuleContext(LLVMGetGlobalParent(function));
	LLVMMetadataRef loc = LLVMInstructionGetDebugLoc(instruction);

	if (!loc || (!LLVMDILocationGetLine(loc) && !LLVMDILocationGetInlinedAt(loc)))
		return ir_debug_function_location(function, out);
	for (;;) {
		LLVMMetadataRef outer = LLVMDILocationGetInlinedAt(loc);
		LLVMMetadataRef scope = LLVMDILocationGetScope(loc);

		fill_file(out, scope);
		out->line = LLVMDILocationGetLine(loc);
		out->column = LLVMDILocationGetColumn(loc);
		out->subprogram = enclosing_subprogram(ctx, scope);
		if (!outer || !debug_is_system_file(out->file, out->file_bytes))
			return true;
		loc = outer;
	}
}

static bool names_scope(LLVMMetadataRef scope)
{
	LLVMMetadataKind kind = LLVMGetMetadataKind(scope);

	return kind == LLVMDICompositeTypeMetadataKind || kind == LLVMDINamespaceMetadataKind ||
	       kind == LLVMDISubprogramMetadataKind;
}

void ir_debug_subprogram_name(LLVMContextRef ctx, LLVMMetadataRef subprogram, struct strbuf *to)
{
	LLVMMetadataRef chain[MAX_SCOPES], scope = subprogram;
	int n = 0;

	while (scope && n < MAX_SCOPES) {
		if (names_scope(scope))
			chain[n++] = scope;
		else if (LLVMGetMetadataKind(scope) != LLVMDILexicalBlockMetadataKind)
			break;
		scope = ir_debug_operand(ctx, scope, DEBUG_SCOPE);
	}
	while (n-- > 0) {
		unsigned bytes = 0;
		const char *name = ir_debug_string(ctx, chain[n], DEBUG_NAME, &bytes);

		if (!name || !bytes)
			continue;
		strbuf_add_bytes(to, name, bytes);
		if (n)
			strbuf_add(to, "::");
	}
}
