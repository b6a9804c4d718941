/*
 * Control dependence in one function.
 *
 * Code is cut into stretches that run as a whole: blocks, cut again behind calls that may not come
 * back.  A stretch depends on a decision (a branch, such a call) when one way out of it leads to
 * the stretch for certain and another does not (Ferrante, Ottenstein, Warren).  A loop may run for
 * ever: each has a way to the end of its own, so what comes behind depends on what ends it.
 */
#ifndef HEDDLE_DEPS_CONTROL_H
#define HEDDLE_DEPS_CONTROL_H

#include "deps/build.h"

/* Makes nodes for stretches and all edges of control in a function. */
void deps_control_function(struct deps_build *b, const struct deps_function *f);
/* Whether a cycle of the function may keep it from returning, or the way back is cut off. */
bool deps_control_stays(struct deps_build *b, LLVMValueRef function);

#endif
