#include "guest/check/hook/sync/number.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#define INT(i) ((int)a[i])
#define SIZE(i) ((size_t)a[i])

static bool data_call(long number, const long a[6], long *result)
{
	switch (number) {
	case SYS_read:
		*result = read(INT(0), (void *)a[1], SIZE(2));
		return true;
	case SYS_write:
		*result = write(INT(0), (const void *)a[1], SIZE(2));
		return true;
	case SYS_readv:
		*result = readv(INT(0), (const struct iovec *)a[1], INT(2));
		return true;
	case SYS_writev:
		*result = writev(INT(0), (const struct iovec *)a[1], INT(2));
		return true;
	case SYS_pread64:
		*result = pread(INT(0), (void *)a[1], SIZE(2), a[3]);
		return true;
	case SYS_pwrite64:
		*result = pwrite(INT(0), (const void *)a[1], SIZE(2), a[3]);
		return true;
	case SYS_lseek:
		*result = lseek(INT(0), a[1], INT(2));
		return true;
	default:
		return false;
	}
}

static bool descriptor_call(long number, const long a[6], long *result)
{
	switch (number) {
	case SYS_close:
		*result = close(INT(0));
		return true;
	case SYS_pipe2:
		*result = pipe2((int *)a[0], INT(1));
		return true;
	case SYS_dup:
		*result = dup(INT(0));
		return true;
	case SYS_dup2:
		*result = dup2(INT(0), INT(1));
		return true;
	case SYS_dup3:
		*result = dup3(INT(0), INT(1), INT(2));
		return true;
	case SYS_fcntl:
		*result = fcntl(INT(0), INT(1), a[2]);
		return true;
	case SYS_ioctl:
		*result = ioctl(INT(0), (unsigned long)a[1], a[2]);
		return true;
	case SYS_eventfd2:
		*result = eventfd((unsigned int)a[0], INT(1));
		return true;
	default:
		return false;
	}
}

static bool wait_call(long number, const long a[6], long *result)
{
	switch (number) {
	case SYS_poll:
		*result = poll((struct pollfd *)a[0], (nfds_t)a[1], INT(2));
		return true;
	case SYS_epoll_create1:
		*result = epoll_create1(INT(0));
		return true;
	case SYS_epoll_ctl:
		*result = epoll_ctl(INT(0), INT(1), INT(2), (struct epoll_event *)a[3]);
		return true;
	case SYS_epoll_wait:
	case SYS_epoll_pwait:
		*result = epoll_wait(INT(0), (struct epoll_event *)a[1], INT(2), INT(3));
		return true;
	case SYS_epoll_pwait2:
		*result = epoll_pwait2(INT(0), (struct epoll_event *)a[1], INT(2),
				       (const struct timespec *)a[3], NULL);
		return true;
	default:
		return false;
	}
}

static bool memory_call(long number, const long a[6], long *result)
{
	switch (number) {
	case SYS_mmap:
		*result = (long)mmap((void *)a[0], SIZE(1), INT(2), INT(3), INT(4), a[5]);
		return true;
	case SYS_munmap:
		*result = munmap((void *)a[0], SIZE(1));
		return true;
	case SYS_madvise:
		*result = madvise((void *)a[0], SIZE(1), INT(2));
		return true;
	case SYS_clock_gettime:
		*result = clock_gettime((clockid_t)a[0], (struct timespec *)a[1]);
		return true;
	default:
		return false;
	}
}

bool number_call(long number, const long a[6], long *result)
{
	return data_call(number, a, result) || descriptor_call(number, a, result) ||
	       wait_call(number, a, result) || memory_call(number, a, result);
}
