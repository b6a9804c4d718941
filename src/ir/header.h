/*
 * Small functions of system headers (a lock guard's constructor, an atomic's operator, an element
 * access) are inlined into the active code before it is instrumented, so that what they do is shown
 * where the user's code asked for it and not somewhere in the library's headers.
 *
 * What the compiler knows the body of but a library has the function (streams, whose templates are
 * instantiated there) is called there always: its other functions work on the same memory unseen, so
 * the table of library functions has to tell of all of them or of none.
 */
#ifndef HEDDLE_IR_HEADER_H
#define HEDDLE_IR_HEADER_H

#include <llvm-c/Types.h>

#include "base/err.h"

int ir_header_inline(LLVMModuleRef mod, struct err *e);

#endif
