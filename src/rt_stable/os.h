/*
 * The operating system as the runtime sees it: raw system calls that neither touch errno nor go
 * through an interposed function, futexes, time, memory, and a tiny formatter.  Everything here is
 * safe in a signal handler, before main, and in the child of a fork.
 */
#ifndef HEDDLE_RT_STABLE_OS_H
#define HEDDLE_RT_STABLE_OS_H

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/syscall.h>

#if !defined(__x86_64__)
#error "libheddle-stable is written for x86-64"
#endif

static inline long os_call6(long n, long a, long b, long c, long d, long e, long f)
{
	register long r10 __asm__("r10") = d;
	register long r8 __asm__("r8") = e;
	register long r9 __asm__("r9") = f;
	long result;
	__asm__ volatile("syscall"
			 : "=a"(result)
			 : "a"(n), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9)
			 : "rcx", "r11", "memory");
	return result;
}

#define os_call3(n, a, b, c) os_call6(n, (long)(a), (long)(b), (long)(c), 0, 0, 0)

/* Sleeps while *word is value; ns < 0 means without limit.  Returns 0 or a negative errno. */
long os_futex_wait(const volatile uint32_t *word, uint32_t value, int64_t ns);
void os_futex_wake(const volatile uint32_t *word, int count);

int os_gettid(void);
int os_getpid(void);
uint64_t os_now_ns(void); /* CLOCK_MONOTONIC */
void os_yield(void);
int os_cpu_count(void); /* that this process may use */
_Noreturn void os_exit(int status);

/* Anonymous zeroed memory; never NULL: without memory the process ends with a message. */
void *os_pages(size_t bytes);
void os_unmap(void *at, size_t bytes);
/* Maps bytes of fd from offset, shared; NULL on failure. */
void *os_map_shared(int fd, size_t bytes, uint64_t offset);
int os_open(const char *path, int flags, int mode); /* negative errno on failure */
void os_close(int fd);
long os_read(int fd, void *to, size_t bytes);
void os_write_all(int fd, const char *text, size_t bytes);
int os_truncate(int fd, uint64_t bytes);

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

/*
 * Formats into to (always terminated) and returns the length.  Knows %s %d %u %x %p %c %%, and
 * %lu %ld %lx for 64-bit values.
 */
size_t os_format(char *to, size_t bytes, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
size_t os_vformat(char *to, size_t bytes, const char *format, va_list args)
	__attribute__((format(printf, 3, 0)));

#endif
