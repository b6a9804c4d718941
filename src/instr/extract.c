#include "instr/extract.h"

#include <llvm-c/Core.h>

#include "ir/bitcode.h"
#include "ir/module.h"

int instr_extract(const char *path, const char *out_path, struct err *e)
{
	LLVMContextRef ctx = ir_context_new();
	LLVMModuleRef mod = NULL;
	int rc = ir_bitcode_link(ctx, path, &mod, e);

	if (!rc)
		rc = ir_module_write(mod, out_path, e);
	if (mod)
		LLVMDisposeModule(mod);
	LLVMContextDispose(ctx);
	return rc;
}
