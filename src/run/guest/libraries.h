/* The shared libraries that are loaded with a program. */
#ifndef HEDDLE_RUN_LIBRARIES_H
#define HEDDLE_RUN_LIBRARIES_H

#include "base/err.h"
#include "run/guest/environment.h"

/*
 * Their paths in the order of loading, as the dynamic linker finds them in this environment; the
 * program is not run.  ERR_NOT_FOUND when one is missing, ERR_FORMAT when the linker does not take
 * the program.
 */
int run_libraries(const char *path, struct run_words *out, struct err *e);

#endif
