/*
 * Small functions of system headers (a lock guard's constructor, an atomic's operator, an element
 * access) are inlined into the active code before it is instrumented, so that what they do is shown
 * where the user's code asked for it and not somewhere in the library's headers.
 */
#ifndef HEDDLE_INSTR_HEADER_H
#define HEDDLE_INSTR_HEADER_H

#include <llvm-c/Types.h>

#include "base/err.h"

int header_inline(LLVMModuleRef mod, struct err *e);

#endif
