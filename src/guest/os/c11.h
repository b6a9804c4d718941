/* C11 threads on POSIX ones: the C library has one object under two names, and other results. */
#ifndef HEDDLE_GUEST_OS_C11_H
#define HEDDLE_GUEST_OS_C11_H

#include <errno.h>
#include <pthread.h>
#include <threads.h>

_Static_assert(sizeof(mtx_t) == sizeof(pthread_mutex_t), "mtx_t is a pthread_mutex_t inside");
_Static_assert(sizeof(cnd_t) == sizeof(pthread_cond_t), "cnd_t is a pthread_cond_t inside");
_Static_assert(sizeof(once_flag) == sizeof(pthread_once_t), "once_flag is a pthread_once_t inside");

/* What a function of <threads.h> returns where its POSIX counterpart returns that error. */
static inline int c11_result(int error)
{
	switch (error) {
	case 0:
		return thrd_success;
	case ENOMEM:
		return thrd_nomem;
	case ETIMEDOUT:
		return thrd_timedout;
	case EBUSY:
		return thrd_busy;
	default:
		return thrd_error;
	}
}

#endif
