/*
 * The program's memory as calls read and write it on its behalf: a heap check, the bytes, an event
 * with them.
 */
#ifndef HEDDLE_RT_HOOK_USER_H
#define HEDDLE_RT_HOOK_USER_H

#include <sys/uio.h>

#include "guest/check/rt.h"

/* Copies n bytes out of the program's memory, as a step of its own. */
void user_read(void *to, const void *from, size_t n, uint32_t site);
/*
 * Copies n bytes into it, as part of the step at hand: the caller has recorded an event and nobody
 * else has run since.
 */
void user_write(void *to, const void *from, size_t n, uint32_t site);
/* The same into several places. */
void user_scatter(const struct iovec *to, int count, const unsigned char *from, size_t n,
		  uint32_t site);
/* Likewise, where the kernel has done it: n bytes were read, or written, there. */
void user_was_read(const struct iovec *from, int count, size_t n, uint32_t site);
void user_was_written(const struct iovec *to, int count, size_t n, uint32_t site);

#endif
