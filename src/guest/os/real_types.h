/*
 * Declarations of everything in real.def: system headers, and the functions of the C library and
 * of the C++ ABI that no header declares.
 */
#ifndef HEDDLE_RT_OS_REAL_TYPES_H
#define HEDDLE_RT_OS_REAL_TYPES_H

#include <assert.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <setjmp.h>
#include <signal.h>
#include <spawn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/inotify.h>
#include <sys/ioctl.h>
#include <sys/sendfile.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/select.h>
#include <sys/shm.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/sysinfo.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <sys/times.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>

/* assert.h hides these unless NDEBUG is off. */
void __assert_fail(const char *expression, const char *file, unsigned int line,
		   const char *function) __attribute__((noreturn));
void __assert_perror_fail(int number, const char *file, unsigned int line, const char *function)
	__attribute__((noreturn));
void __assert(const char *expression, const char *file, int line) __attribute__((noreturn));

int __libc_start_main(int (*main_function)(int, char **, char **), int argc, char **argv,
		      void (*init)(void), void (*fini)(void), void (*rtld_fini)(void),
		      void *stack_end);

int __register_atfork(void (*prepare)(void), void (*parent)(void), void (*child)(void), void *dso);

ssize_t __read_chk(int fd, void *to, size_t n, size_t room);

/* What fortified programs call for longjmp. */
void __longjmp_chk(struct __jmp_buf_tag env[1], int value) __attribute__((noreturn));

int __cxa_atexit(void (*function)(void *), void *argument, void *dso);
int __cxa_at_quick_exit(void (*function)(void *), void *dso);
void __cxa_finalize(void *dso);
int __cxa_thread_atexit_impl(void (*function)(void *), void *object, void *dso);

/* Guards of function-local statics, from the C++ runtime; absent in C programs. */
int __cxa_guard_acquire(int64_t *guard);
void __cxa_guard_release(int64_t *guard);
void __cxa_guard_abort(int64_t *guard);

/* std::random_device::_M_getval(): the argument is the object. */
unsigned int _ZNSt13random_device9_M_getvalEv(void *device);

#endif
