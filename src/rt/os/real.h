/*
 * The functions we interpose, as the C library defines them.  Resolved once by real_init(), before
 * anything else of the runtime; the only user of dlsym.
 *
 * real_NAME is a function pointer with NAME's type.  Optional ones may be NULL.
 */
#ifndef HEDDLE_RT_OS_REAL_H
#define HEDDLE_RT_OS_REAL_H

#include <stdbool.h>

#include "rt/os/real_types.h"

#define X(name) extern __typeof__(&name) real_##name;
#include "rt/os/real.def"
#undef X

/* Resolves everything; idempotent. */
void real_init(void);

#endif
