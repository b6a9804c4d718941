/*
 * Raw system calls: they do not touch errno, are not interposed, and are made from this library's
 * own text, which the reset engine's filter lets pass.
 *
 * All functions here tolerate signal handlers, the time before main, and the child of a fork.
 */
#ifndef HEDDLE_RT_OS_SYS_H
#define HEDDLE_RT_OS_SYS_H

#include <stddef.h>
#include <stdint.h>

/* Six-argument system call; negative errno on failure. */
long sys_call(long number, long a, long b, long c, long d, long e, long f);
/* The same for values and pointers of any kind, up to three. */
#define sys_call3(n, a, b, c) sys_call(n, (long)(a), (long)(b), (long)(c), 0, 0, 0)
/* The text range of sys_call, for the filter. */
extern const char sys_call_begin[], sys_call_end[];

int sys_open_read(const char *path);
long sys_read(int fd, void *to, size_t bytes);
long sys_close(int fd);
/* MAP_PRIVATE|MAP_ANONYMOUS|MAP_NORESERVE at exactly that address; 0 or negative errno. */
long sys_map_fixed(uint64_t addr, uint64_t bytes, int prot);
long sys_protect(uint64_t addr, uint64_t bytes, int prot);
_Noreturn void sys_exit_group(int status);

/* Waits while *word == expected; process-shared.  timeout_ns < 0: for ever. */
void sys_futex_wait(uint32_t *word, uint32_t expected, int64_t timeout_ns);
void sys_futex_wake(uint32_t *word, int count);

/* fork without the C library's handlers; the caller's TCB keeps its thread id. */
int sys_fork(void);
/* Waits for a child; returns its wait status. */
int sys_wait(int pid);
int sys_getpid(void);
int sys_gettid(void);
uint64_t sys_monotonic_ns(void);
void sys_sleep_ns(uint64_t ns);
void sys_pin_to_one_cpu(void);
/* Whether a debugger is attached. */
int sys_traced(void);

#endif
