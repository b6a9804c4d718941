/* The table of dependences of a program, made by heddle-deps. */
#ifndef HEDDLE_CLI_STATIC_DEPS_H
#define HEDDLE_CLI_STATIC_DEPS_H

#include "base/err.h"
#include "explore/static_deps.h"

/* Runs the heddle-deps next to this program on a binary; the caller frees *out. */
int cli_static_deps_make(const char *binary, struct static_deps **out, struct err *e);

#endif
