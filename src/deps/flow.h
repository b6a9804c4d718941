/* Dependence by data, through values, memory and calls. */
#ifndef HEDDLE_DEPS_FLOW_H
#define HEDDLE_DEPS_FLOW_H

#include "deps/build.h"

/* Makes the edges of every instruction of a function; its stretches have nodes already. */
void deps_flow_function(struct deps_build *b, const struct deps_function *f);

#endif
