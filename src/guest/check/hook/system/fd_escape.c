/*
 * Calls through which descriptors, or what is in them, go where the model does not follow. Modelled
 * ones become the kernel's before; what the call does is said to be unseen.
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

#include "guest/check/hook/call.h"
#include "guest/check/hook/system/fd_release.h"
#include "guest/os/real.h"
#include "guest/check/sched/fds.h"

static void escape(const char *call, int one, int two)
{
	uint32_t site = sched_take_site();

	if (fds_modelled(one) || fds_modelled(two))
		fd_release(site, call);
	rt_irreversible("%s", call);
	rt_unseen(site, "%s on descriptor %d", call, one);
}

#define ESCAPES(type, name, parameters, arguments, one, two)                                       \
	RT_EXPORT type name parameters                                                             \
	{                                                                                          \
		if (rt_controlled())                                                               \
			escape(#name, one, two);                                                   \
		return REAL(name) arguments;                                                       \
	}

ESCAPES(ssize_t, sendfile, (int to, int from, off_t *at, size_t n), (to, from, at, n), to, from)
ESCAPES(ssize_t, splice,
	(int from, off64_t *from_at, int to, off64_t *to_at, size_t n, unsigned int flags),
	(from, from_at, to, to_at, n, flags), from, to)
ESCAPES(ssize_t, tee, (int from, int to, size_t n, unsigned int flags), (from, to, n, flags), from,
	to)
ESCAPES(ssize_t, vmsplice, (int fd, const struct iovec *parts, size_t count, unsigned int flags),
	(fd, parts, count, flags), fd, fd)
ESCAPES(ssize_t, preadv, (int fd, const struct iovec *parts, int count, off_t at),
	(fd, parts, count, at), fd, fd)
ESCAPES(ssize_t, pwritev, (int fd, const struct iovec *parts, int count, off_t at),
	(fd, parts, count, at), fd, fd)
ESCAPES(int, sendmmsg, (int fd, struct mmsghdr *messages, unsigned int count, int flags),
	(fd, messages, count, flags), fd, fd)
ESCAPES(int, recvmmsg,
	(int fd, struct mmsghdr *messages, unsigned int count, int flags, struct timespec *timeout),
	(fd, messages, count, flags, timeout), fd, fd)

/* Streams keep bytes of their own, and read and write inside the C library. */
RT_EXPORT FILE *fdopen(int fd, const char *mode)
{
	if (rt_controlled() && fds_modelled(fd))
		fd_release(sched_take_site(), "fdopen");
	return REAL(fdopen)(fd, mode);
}

/* A format is written into memory first, and then to the descriptor. */
static int print_modelled(int fd, const char *format, va_list args)
{
	va_list again;
	char *text;
	int n;

	va_copy(again, args);
	n = vsnprintf(NULL, 0, format, again);
	va_end(again);
	text = n < 0 ? NULL : malloc((size_t)n + 1);
	if (!text)
		return -1;
	vsnprintf(text, (size_t)n + 1, format, args);
	n = (int)write(fd, text, (size_t)n);
	free(text);
	return n;
}

RT_EXPORT int vdprintf(int fd, const char *restrict format, va_list args)
{
	if (rt_controlled() && fds_modelled(fd))
		return print_modelled(fd, format, args);
	return REAL(vdprintf)(fd, format, args);
}

RT_EXPORT int dprintf(int fd, const char *restrict format, ...)
{
	va_list args;
	int result;

	va_start(args, format);
	result = vdprintf(fd, format, args);
	va_end(args);
	return result;
}

RT_EXPORT int memfd_create(const char *name, unsigned int flags)
{
	if (rt_controlled())
		rt_irreversible("memfd_create");
	return REAL(memfd_create)(name, flags);
}
