/*
 * The functions we interpose, as the C library defines them.  Resolved once by real_init(), before
 * anything else of the runtime; the only user of dlsym.
 *
 * real_NAME is a function pointer with NAME's type.  Optional ones may be NULL.
 */
#ifndef HEDDLE_RT_OS_REAL_H
#define HEDDLE_RT_OS_REAL_H

#include <stdbool.h>
#include <stddef.h>

#include "rt/os/real_types.h"

#define X(name) extern __typeof__(&name) real_##name;
#include "rt/os/real.def"
#undef X

/* Resolves everything; idempotent.  Tolerates the time before main. */
void real_init(void);

/* The original, resolved on the way if an interposer is called before real_init(). */
#define REAL(name)                                                                                 \
	(__builtin_expect(real_##name != NULL, 1) ? real_##name : (real_init(), real_##name))

/* Whether two addresses lie in the same loaded object (executable or library). */
bool real_same_object(const void *a, const void *b);

#endif
