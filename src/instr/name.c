#include "instr/name.h"

#include <llvm-c/Core.h>

#include "instr/escape.h"

void name_collect(struct unit *u)
{
}

void name_of_access(struct unit *u, LLVMValueRef address, uint64_t size, struct strbuf *to)
{
	LLVMValueRef root = escape_root(address);
	size_t bytes;

	if (LLVMIsAGlobalVariable(root))
		strbuf_add(to, LLVMGetValueName2(root, &bytes));
}

void name_of_value(struct unit *u, LLVMValueRef value, struct strbuf *to)
{
}
