#include "instr/again.h"

#include <stdbool.h>
#include <string.h>

#include <llvm-c/Core.h>

#include "instr/split.h"
#include "instr/unit.h"
#include "ir/module.h"
#include "wire/site.h"

int instr_again(LLVMContextRef ctx, const void *bitcode, size_t bytes,
		const struct instr_flavor *flavor, struct instr_again *out, struct err *e)
{
	struct unit u;
	int rc = ir_module_parse(ctx, bitcode, bytes, &out->mod, e);

	if (rc)
		return rc;
	split_name_globals(out->mod);
	unit_init(&u, out->mod, flavor);
	u.elements = out->elements;
	rc = unit_instrument(&u, e);
	out->sites = (uint32_t)u.sites.count;
	out->hash = u.hash;
	unit_fini(&u);
	if (rc) {
		LLVMDisposeModule(out->mod);
		out->mod = NULL;
	}
	return rc;
}

const char *instr_again_hook(LLVMValueRef call)
{
	static const char prefix[] = "heddle_hook_";
	LLVMValueRef callee = LLVMIsACallInst(call) ? LLVMGetCalledValue(call) : NULL;
	const char *name;
	size_t bytes;

	if (!callee || !LLVMIsAFunction(callee))
		return NULL;
	name = LLVMGetValueName2(callee, &bytes);
	return strncmp(name, prefix, sizeof(prefix) - 1) ? NULL : name + sizeof(prefix) - 1;
}

/* Records are named by their distance in bytes from the placeholder of the table (site.c). */
uint32_t instr_again_site(LLVMValueRef call)
{
	unsigned n = LLVMGetNumArgOperands(call);
	const char *hook = instr_again_hook(call);
	/* The site comes last, but for the end of an iteration, which tells what it carries. */
	bool first = hook && !strcmp(hook, "spin");
	LLVMValueRef at = n ? LLVMGetOperand(call, first ? 0 : n - 1) : NULL, distance;

	if (at && LLVMIsAGlobalVariable(at))
		return 0;
	if (!at || !LLVMIsAConstantExpr(at) || LLVMGetConstOpcode(at) != LLVMGetElementPtr)
		return UINT32_MAX;
	distance = LLVMGetOperand(at, 1);
	if (!LLVMIsAConstantInt(distance))
		return UINT32_MAX;
	return (uint32_t)(LLVMConstIntGetZExtValue(distance) / sizeof(struct heddle_site));
}
