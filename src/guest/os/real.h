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
#include <stdint.h>

#include "guest/os/real_types.h"

#define X(name) extern __typeof__(&name) real_##name;
#include "guest/os/real.def"
#undef X

/* Resolves everything; idempotent.  Tolerates the time before main. */
void real_init(void);

/* The original, resolved on the way if an interposer is called before real_init(). */
#define REAL(name)                                                                                 \
	(__builtin_expect(real_##name != NULL, 1) ? real_##name : (real_init(), real_##name))

/* The function of that name that the program would get; NULL when there is none. */
const void *real_find(const char *name);

/* The name of the function at an address; NULL when it is not known. */
const char *real_name(const void *function);

/*
 * Whether the code at an address is of a library that the tables of effects speak of (the C and C++
 * libraries, zlib, our own), or the executable's way to such a library.
 */
bool real_is_library(const void *function);

/* Whether this stream (a FILE) is on a descriptor, and not on memory or functions of the program.
 */
bool real_is_descriptor_stream(const void *stream);
/* Whether this is a buffer of C++ streams on a file, or on anything. */
bool real_is_file_buffer(const void *buffer);
bool real_is_stream_buffer(const void *buffer);

/* Whether two addresses lie in the same loaded object (executable or library). */
bool real_same_object(const void *a, const void *b);

#endif
