/* The table of dependences of a program, made by heddle-deps. */
#ifndef HEDDLE_EXPLORE_POLICY_DEPENDENCES_H
#define HEDDLE_EXPLORE_POLICY_DEPENDENCES_H

#include "base/err.h"
#include "explore/published/static_deps.h"

/* Runs the heddle-deps next to this program on a binary; the caller frees *out. */
int dependences_make(const char *binary, struct static_deps **out, struct err *e);

#endif
