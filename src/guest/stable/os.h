/*
 * What the runtime asks of the operating system beyond guest/os: futexes of this process, memory,
 * files.  Everything here is safe in a signal handler, before main, and in the child of a fork.
 */
#ifndef HEDDLE_RT_STABLE_OS_H
#define HEDDLE_RT_STABLE_OS_H

#include <stddef.h>
#include <stdint.h>
#include <sys/syscall.h>

#include "guest/os/fmt.h"
#include "guest/os/sys.h"

/* Sleeps while *word is value; ns < 0 means without limit.  Returns 0 or a negative errno. */
long os_futex_wait(const volatile uint32_t *word, uint32_t value, int64_t ns);
void os_futex_wake(const volatile uint32_t *word, int count);

void os_yield(void);
int os_cpu_count(void); /* that this process may use */

/* Anonymous zeroed memory; never NULL: without memory the process ends with a message. */
void *os_pages(size_t bytes);
void os_unmap(void *at, size_t bytes);
/* Maps bytes of fd from offset, shared; NULL on failure. */
void *os_map_shared(int fd, size_t bytes, uint64_t offset);
int os_open(const char *path, int flags, int mode); /* negative errno on failure */
void os_write_all(int fd, const char *text, size_t bytes);
int os_truncate(int fd, uint64_t bytes);
/* Makes the file long enough with space that is there; negative when the disk is full. */
int os_allocate(int fd, uint64_t at, uint64_t bytes);

static inline uint64_t os_tsc(void)
{
	uint32_t low, high;
	__asm__ volatile("rdtsc" : "=a"(low), "=d"(high));
	return ((uint64_t)high << 32) | low;
}

static inline void os_pause(void)
{
	__asm__ volatile("pause" ::: "memory");
}

#endif
