/*
 * The original functions behind the interposed names.  real_init() resolves all of them, once,
 * before any wrapper uses one; a name that the C library does not have stays NULL, and its wrapper
 * is then unreachable, because the program could not have linked with it either.
 */
#ifndef HEDDLE_RT_STABLE_REAL_H
#define HEDDLE_RT_STABLE_REAL_H

#include <aio.h>
#include <mqueue.h>
#include <netdb.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdio.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/select.h>
#include <sys/sem.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <threads.h>
#include <time.h>

struct real_table {
#define X(result, name, version, parameters) result(*name) parameters;
#include "guest/stable/real.def"
#undef X
};

extern struct real_table real;

/* Tolerates being called more than once. */
void real_init(void);

/* Another function of the libraries behind us; NULL when there is none. */
void *real_find(const char *name);

/* For wrappers that may run before the runtime has started. */
static inline void real_ready(void)
{
	if (__builtin_expect(!real.time, 0))
		real_init();
}

#endif
