/* Wrappers of what reads and writes descriptors. */
#include "guest/stable/world/around.h"
#include "guest/stable/world/channel.h"
#include "guest/stable/hook/hook.h"
#include "guest/stable/hook/outside.h"
#include "guest/stable/world/state.h"
#include "guest/stable/real.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <sys/sendfile.h>
#include <unistd.h>

/* Else in the order of the schedule, for what is read from fd (false) or written on it (true). */
#define ORDERED(writes, name, arguments, decide)                                                   \
	STATE_HOLD_FD(fd, writes);                                                                 \
	decide;                                                                                    \
	ssize_t answer = real.name arguments;                                                      \
	outside_return();                                                                          \
	channel_touched(fd, HOOK_CALLER);                                                          \
	return answer

/* As the last, and without an order, on sockets. */
#define OUTSIDE(name, arguments, at_once, decide)                                                  \
	if (!(at_once))                                                                            \
		decide;                                                                            \
	ssize_t answer = real.name arguments;                                                      \
	outside_return();                                                                          \
	channel_touched(fd, HOOK_CALLER);                                                          \
	return answer

static size_t total(const struct iovec *parts, int count)
{
	size_t sum = 0;
	for (int i = 0; i < count; i++)
		sum += parts[i].iov_len;
	return sum;
}

/* What is too much for one step of a channel goes on outside of the schedule. */
static void give_up_large(int fd, size_t bytes, uintptr_t caller)
{
	if (bytes > PIPE_BUF)
		channel_give_up(fd, caller);
}

HOOK_EXPORT ssize_t read(int fd, void *to, size_t n)
{
	real_ready();
	CHANNEL_FIRST(fd, POLLIN, false, real.read(fd, to, n));
	ORDERED(false, read, (fd, to, n), outside_leave_for_read(fd));
}

HOOK_EXPORT ssize_t readv(int fd, const struct iovec *v, int n)
{
	real_ready();
	CHANNEL_FIRST(fd, POLLIN, false, real.readv(fd, v, n));
	ORDERED(false, readv, (fd, v, n), outside_leave_for_read(fd));
}

HOOK_EXPORT ssize_t write(int fd, const void *from, size_t n)
{
	ssize_t written;
	real_ready();
	if (channel_write(fd, from, n, 0, HOOK_CALLER, &written))
		return written;
	ORDERED(true, write, (fd, from, n), outside_leave_for_write(fd, n));
}

HOOK_EXPORT ssize_t writev(int fd, const struct iovec *v, int n)
{
	real_ready();
	give_up_large(fd, total(v, n), HOOK_CALLER);
	CHANNEL_FIRST(fd, POLLOUT, false, real.writev(fd, v, n));
	ORDERED(true, writev, (fd, v, n), outside_leave_for_write(fd, total(v, n)));
}

HOOK_EXPORT ssize_t send(int fd, const void *from, size_t n, int flags)
{
	ssize_t sent;
	real_ready();
	if (channel_write(fd, from, n, flags, HOOK_CALLER, &sent))
		return sent;
	OUTSIDE(send, (fd, from, n, flags), flags & MSG_DONTWAIT, outside_leave_for_write(fd, n));
}

HOOK_EXPORT ssize_t sendto(int fd, const void *from, size_t n, int flags, const struct sockaddr *to,
			   socklen_t length)
{
	ssize_t sent;
	real_ready();
	if (!to && channel_write(fd, from, n, flags, HOOK_CALLER, &sent))
		return sent;
	OUTSIDE(sendto, (fd, from, n, flags, to, length), flags & MSG_DONTWAIT,
		outside_leave_for_write(fd, n));
}

HOOK_EXPORT ssize_t sendmsg(int fd, const struct msghdr *m, int flags)
{
	real_ready();
	size_t bytes = total(m->msg_iov, (int)m->msg_iovlen);
	/* Another process may get descriptors with it. */
	if (m->msg_controllen)
		channel_give_up_all(false);
	give_up_large(fd, bytes, HOOK_CALLER);
	CHANNEL_FIRST(fd, POLLOUT, flags & MSG_DONTWAIT, real.sendmsg(fd, m, flags));
	OUTSIDE(sendmsg, (fd, m, flags), flags & MSG_DONTWAIT, outside_leave_for_write(fd, bytes));
}

HOOK_EXPORT ssize_t recv(int fd, void *to, size_t n, int flags)
{
	real_ready();
	if (flags & MSG_WAITALL)
		channel_give_up(fd, HOOK_CALLER);
	CHANNEL_FIRST(fd, POLLIN, flags & MSG_DONTWAIT, real.recv(fd, to, n, flags));
	OUTSIDE(recv, (fd, to, n, flags), flags & MSG_DONTWAIT, outside_leave_for_read(fd));
}

HOOK_EXPORT ssize_t recvfrom(int fd, void *to, size_t n, int flags, struct sockaddr *from,
			     socklen_t *length)
{
	real_ready();
	if (flags & MSG_WAITALL)
		channel_give_up(fd, HOOK_CALLER);
	CHANNEL_FIRST(fd, POLLIN, flags & MSG_DONTWAIT,
		      real.recvfrom(fd, to, n, flags, from, length));
	OUTSIDE(recvfrom, (fd, to, n, flags, from, length), flags & MSG_DONTWAIT,
		outside_leave_for_read(fd));
}

AROUND(int, connect, (int fd, const struct sockaddr *to, socklen_t length), (fd, to, length),
       outside_leave_for_read(fd))
AROUND(int, sendmmsg, (int fd, struct mmsghdr *m, unsigned n, int flags), (fd, m, n, flags),
       channel_give_up(fd, HOOK_CALLER);
       if (!(flags & MSG_DONTWAIT)) outside_leave_for_write(fd, SIZE_MAX))
AROUND(int, flock, (int fd, int operation), (fd, operation), outside_leave())
AROUND(int, lockf, (int fd, int operation, off_t n), (fd, operation, n),
       if (operation == F_LOCK) outside_leave())
AROUND(int, lockf64, (int fd, int operation, off64_t n), (fd, operation, n),
       if (operation == F_LOCK) outside_leave())

HOOK_EXPORT ssize_t recvmsg(int fd, struct msghdr *m, int flags)
{
	real_ready();
	if (flags & MSG_WAITALL)
		channel_give_up(fd, HOOK_CALLER);
	if (!m->msg_controllen)
		CHANNEL_FIRST(fd, POLLIN, flags & MSG_DONTWAIT, real.recvmsg(fd, m, flags));
	if (!(flags & MSG_DONTWAIT))
		outside_leave_for_read(fd);
	ssize_t n = real.recvmsg(fd, m, flags);
	outside_return();
	channel_touched(fd, HOOK_CALLER);
	/* Descriptors may have come with it. */
	if (n >= 0 && m->msg_controllen)
		outside_forget_all();
	return n;
}

HOOK_EXPORT int recvmmsg(int fd, struct mmsghdr *m, unsigned count, int flags,
			 struct timespec *limit)
{
	real_ready();
	channel_give_up(fd, HOOK_CALLER);
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

HOOK_EXPORT off_t lseek(int fd, off_t offset, int from)
{
	real_ready();
	STATE_HOLD_FD(fd, false);
	return real.lseek(fd, offset, from);
}

HOOK_EXPORT off64_t lseek64(int fd, off64_t offset, int from)
{
	real_ready();
	STATE_HOLD_FD(fd, false);
	return real.lseek64(fd, offset, from);
}

/* The kernel moves bytes from one to the other. */
#define MOVES(result, name, parameters, arguments, from, to)                                       \
	HOOK_EXPORT result name parameters                                                         \
	{                                                                                          \
		real_ready();                                                                      \
		channel_give_up(from, HOOK_CALLER);                                                \
		channel_give_up(to, HOOK_CALLER);                                                  \
		outside_leave();                                                                   \
		result answer = real.name arguments;                                               \
		outside_return();                                                                  \
		return answer;                                                                     \
	}

MOVES(ssize_t, splice, (int from, off64_t *in, int to, off64_t *out, size_t n, unsigned flags),
      (from, in, to, out, n, flags), from, to)
MOVES(ssize_t, tee, (int from, int to, size_t n, unsigned flags), (from, to, n, flags), from, to)
MOVES(ssize_t, vmsplice, (int fd, const struct iovec *v, size_t n, unsigned flags),
      (fd, v, n, flags), fd, -1)
MOVES(ssize_t, sendfile, (int to, int from, off_t *at, size_t n), (to, from, at, n), from, to)
MOVES(ssize_t, sendfile64, (int to, int from, off64_t *at, size_t n), (to, from, at, n), from, to)
