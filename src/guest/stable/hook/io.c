/* Wrappers of reads, writes, sockets and waiting for descriptors. */
#include "guest/stable/hook/hook.h"
#include "guest/stable/hook/outside.h"
#include "guest/stable/real.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <unistd.h>

/* Calls that may block: decide, then the original. */
#define AROUND(result, name, parameters, arguments, decide)                                        \
	HOOK_EXPORT result name parameters                                                         \
	{                                                                                          \
		real_ready();                                                                      \
		decide;                                                                            \
		result answer = real.name arguments;                                               \
		outside_return();                                                                  \
		return answer;                                                                     \
	}

static size_t total(const struct iovec *parts, int count)
{
	size_t sum = 0;
	for (int i = 0; i < count; i++)
		sum += parts[i].iov_len;
	return sum;
}

AROUND(ssize_t, read, (int fd, void *to, size_t n), (fd, to, n), outside_leave_for_read(fd))
AROUND(ssize_t, readv, (int fd, const struct iovec *v, int n), (fd, v, n),
       outside_leave_for_read(fd))
AROUND(ssize_t, write, (int fd, const void *from, size_t n), (fd, from, n),
       outside_leave_for_write(fd, n))
AROUND(ssize_t, writev, (int fd, const struct iovec *v, int n), (fd, v, n),
       outside_leave_for_write(fd, total(v, n)))
AROUND(ssize_t, send, (int fd, const void *from, size_t n, int flags), (fd, from, n, flags),
       if (!(flags & MSG_DONTWAIT)) outside_leave_for_write(fd, n))
AROUND(ssize_t, sendto,
       (int fd, const void *from, size_t n, int flags, const struct sockaddr *to, socklen_t length),
       (fd, from, n, flags, to, length),
       if (!(flags & MSG_DONTWAIT)) outside_leave_for_write(fd, n))
AROUND(ssize_t, sendmsg, (int fd, const struct msghdr *m, int flags), (fd, m, flags),
       if (!(flags & MSG_DONTWAIT))
	       outside_leave_for_write(fd, total(m->msg_iov, (int)m->msg_iovlen)))
AROUND(ssize_t, recv, (int fd, void *to, size_t n, int flags), (fd, to, n, flags),
       if (!(flags & MSG_DONTWAIT)) outside_leave_for_read(fd))
AROUND(ssize_t, recvfrom,
       (int fd, void *to, size_t n, int flags, struct sockaddr *from, socklen_t *length),
       (fd, to, n, flags, from, length), if (!(flags & MSG_DONTWAIT)) outside_leave_for_read(fd))
AROUND(int, connect, (int fd, const struct sockaddr *to, socklen_t length), (fd, to, length),
       outside_leave_for_read(fd))
AROUND(int, sendmmsg, (int fd, struct mmsghdr *m, unsigned n, int flags), (fd, m, n, flags),
       if (!(flags & MSG_DONTWAIT)) outside_leave_for_write(fd, SIZE_MAX))
AROUND(int, flock, (int fd, int operation), (fd, operation), outside_leave())
AROUND(int, lockf, (int fd, int operation, off_t n), (fd, operation, n),
       if (operation == F_LOCK) outside_leave())
AROUND(int, lockf64, (int fd, int operation, off64_t n), (fd, operation, n),
       if (operation == F_LOCK) outside_leave())

HOOK_EXPORT ssize_t recvmsg(int fd, struct msghdr *m, int flags)
{
	real_ready();
	if (!(flags & MSG_DONTWAIT))
		outside_leave_for_read(fd);
	ssize_t n = real.recvmsg(fd, m, flags);
	outside_return();
	/* Descriptors may have come with it. */
	if (n >= 0 && m->msg_controllen)
		outside_forget_all();
	return n;
}

HOOK_EXPORT int recvmmsg(int fd, struct mmsghdr *m, unsigned count, int flags,
			 struct timespec *limit)
{
	real_ready();
	if (!(flags & MSG_DONTWAIT))
		outside_leave_for_read(fd);
	int n = real.recvmmsg(fd, m, count, flags, limit);
	outside_return();
	for (int i = 0; i < n; i++) {
		if (m[i].msg_hdr.msg_controllen)
			outside_forget_all();
	}
	return n;
}

/* Before and after the original: locks wait for others, flags and numbers change. */
static void before_fcntl(int command)
{
	if (command == F_SETLKW || command == F_OFD_SETLKW)
		outside_leave();
}

static int after_fcntl(int command, int result)
{
	outside_return();
	if (command == F_SETFL)
		outside_forget_all();
	else if (command == F_DUPFD || command == F_DUPFD_CLOEXEC)
		outside_forget(result);
	return result;
}

/* One more argument, a number or a pointer, is all any command takes. */
#define LAST_ARGUMENT(last, argument)                                                              \
	va_list arguments;                                                                         \
	va_start(arguments, last);                                                                 \
	void *argument = va_arg(arguments, void *);                                                \
	va_end(arguments)

HOOK_EXPORT int fcntl(int fd, int command, ...)
{
	LAST_ARGUMENT(command, argument);
	real_ready();
	before_fcntl(command);
	return after_fcntl(command, real.fcntl(fd, command, argument));
}

HOOK_EXPORT int fcntl64(int fd, int command, ...)
{
	LAST_ARGUMENT(command, argument);
	real_ready();
	before_fcntl(command);
	return after_fcntl(command, real.fcntl64(fd, command, argument));
}

HOOK_EXPORT int ioctl(int fd, unsigned long command, ...)
{
	LAST_ARGUMENT(command, argument);
	real_ready();
	if (command == FIONBIO)
		outside_forget_all();
	return real.ioctl(fd, command, argument);
}

/* Calls that make descriptors: what was known of the number is old. */
#define MAKES(result, name, parameters, arguments)                                                 \
	HOOK_EXPORT result name parameters                                                         \
	{                                                                                          \
		real_ready();                                                                      \
		result made = real.name arguments;                                                 \
		outside_forget(made);                                                              \
		return made;                                                                       \
	}

MAKES(int, socket, (int domain, int type, int protocol), (domain, type, protocol))
MAKES(int, dup, (int fd), (fd))
MAKES(int, dup2, (int from, int to), (from, to))
MAKES(int, dup3, (int from, int to, int flags), (from, to, flags))
MAKES(int, epoll_create, (int size), (size))
MAKES(int, epoll_create1, (int flags), (flags))
MAKES(int, eventfd, (unsigned value, int flags), (value, flags))

HOOK_EXPORT int close(int fd)
{
	real_ready();
	outside_forget(fd);
	return real.close(fd);
}

static int forget_pair(int result, const int *fds)
{
	if (result == 0) {
		outside_forget(fds[0]);
		outside_forget(fds[1]);
	}
	return result;
}

HOOK_EXPORT int pipe(int fds[2])
{
	real_ready();
	return forget_pair(real.pipe(fds), fds);
}

HOOK_EXPORT int pipe2(int fds[2], int flags)
{
	real_ready();
	return forget_pair(real.pipe2(fds, flags), fds);
}

HOOK_EXPORT int socketpair(int domain, int type, int protocol, int fds[2])
{
	real_ready();
	return forget_pair(real.socketpair(domain, type, protocol, fds), fds);
}

HOOK_EXPORT int accept(int fd, struct sockaddr *restrict from, socklen_t *restrict length)
{
	real_ready();
	outside_leave_for_read(fd);
	int made = real.accept(fd, from, length);
	outside_return();
	outside_forget(made);
	return made;
}

HOOK_EXPORT int accept4(int fd, struct sockaddr *restrict from, socklen_t *restrict length,
			int flags)
{
	real_ready();
	outside_leave_for_read(fd);
	int made = real.accept4(fd, from, length, flags);
	outside_return();
	outside_forget(made);
	return made;
}

static bool is_zero(const struct timespec *t)
{
	return t && t->tv_sec == 0 && t->tv_nsec == 0;
}

AROUND(int, select, (int n, fd_set *r, fd_set *w, fd_set *x, struct timeval *t), (n, r, w, x, t),
       if (!t || t->tv_sec || t->tv_usec) outside_leave())
AROUND(int, pselect,
       (int n, fd_set *r, fd_set *w, fd_set *x, const struct timespec *t, const sigset_t *mask),
       (n, r, w, x, t, mask), if (!is_zero(t)) outside_leave())
AROUND(int, epoll_wait, (int fd, struct epoll_event *e, int n, int timeout), (fd, e, n, timeout),
       if (timeout != 0) outside_leave())
AROUND(int, epoll_pwait, (int fd, struct epoll_event *e, int n, int timeout, const sigset_t *mask),
       (fd, e, n, timeout, mask), if (timeout != 0) outside_leave())
AROUND(int, epoll_pwait2,
       (int fd, struct epoll_event *e, int n, const struct timespec *t, const sigset_t *mask),
       (fd, e, n, t, mask), if (!is_zero(t)) outside_leave())
AROUND(int, ppoll, (struct pollfd * p, nfds_t n, const struct timespec *t, const sigset_t *mask),
       (p, n, t, mask), if (!is_zero(t)) outside_leave())

/* Without descriptors it is a sleep. */
HOOK_EXPORT int poll(struct pollfd *p, nfds_t n, int timeout)
{
	struct timespec length = {timeout / 1000, (long)(timeout % 1000) * 1000000};
	real_ready();
	if (n == 0 && timeout > 0)
		return nanosleep(&length, NULL);
	if (timeout != 0)
		outside_leave();
	int ready = real.poll(p, n, timeout);
	outside_return();
	return ready;
}
