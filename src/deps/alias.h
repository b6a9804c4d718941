/* Type-based alias analysis as the compiler does it: tags of accesses, metadata "tbaa". */
#ifndef HEDDLE_DEPS_ALIAS_H
#define HEDDLE_DEPS_ALIAS_H

#include <stdbool.h>

#include <llvm-c/Types.h>

/* The tag of an access, NULL when it has none. */
LLVMValueRef deps_alias_tag(LLVMValueRef access);
/* May accesses with these tags touch the same bytes?  True when it cannot be excluded. */
bool deps_alias_may(LLVMValueRef a, LLVMValueRef b);

#endif
