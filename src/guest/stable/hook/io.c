/* Wrappers of reads, writes, sockets, and of what makes and closes descriptors. */
#include "guest/stable/hook/channel.h"
#include "guest/stable/hook/hook.h"
#include "guest/stable/hook/outside.h"
#include "guest/stable/hook/state.h"
#include "guest/stable/real.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <stdarg.h>
#include <sys/eventfd.h>
#include <sys/epoll.h>
#include <sys/ioctl.h>
#include <sys/sendfile.h>
#include <unistd.h>

/*
 * First of all, for a descriptor of a channel: the call in the schedule, when it would not wait.
 * -1 is what all of them answer when they are interrupted.
 */
#define IN_CHANNEL(fd, events, at_once, call)                                                      \
	switch (channel_enter(fd, events, at_once, HOOK_CALLER)) {                                 \
	case CHANNEL_READY: {                                                                      \
		__auto_type answer = call;                                                         \
		channel_leave(fd);                                                                 \
		return answer;                                                                     \
	}                                                                                          \
	case CHANNEL_INTERRUPTED:                                                                  \
		errno = EINTR;                                                                     \
		return -1;                                                                         \
	case CHANNEL_OUTSIDE:                                                                      \
		break;                                                                             \
	}

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

/* What is too much for one step of a channel goes on outside of the schedule. */
static void give_up_large(int fd, size_t bytes, uintptr_t caller)
{
	if (bytes > PIPE_BUF)
		channel_give_up(fd, caller);
}

HOOK_EXPORT ssize_t read(int fd, void *to, size_t n)
{
	real_ready();
	IN_CHANNEL(fd, POLLIN, false, real.read(fd, to, n));
	ORDERED(false, read, (fd, to, n), outside_leave_for_read(fd));
}

HOOK_EXPORT ssize_t readv(int fd, const struct iovec *v, int n)
{
	real_ready();
	IN_CHANNEL(fd, POLLIN, false, real.readv(fd, v, n));
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
	IN_CHANNEL(fd, POLLOUT, false, real.writev(fd, v, n));
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
	IN_CHANNEL(fd, POLLOUT, flags & MSG_DONTWAIT, real.sendmsg(fd, m, flags));
	OUTSIDE(sendmsg, (fd, m, flags), flags & MSG_DONTWAIT, outside_leave_for_write(fd, bytes));
}

HOOK_EXPORT ssize_t recv(int fd, void *to, size_t n, int flags)
{
	real_ready();
	if (flags & MSG_WAITALL)
		channel_give_up(fd, HOOK_CALLER);
	IN_CHANNEL(fd, POLLIN, flags & MSG_DONTWAIT, real.recv(fd, to, n, flags));
	OUTSIDE(recv, (fd, to, n, flags), flags & MSG_DONTWAIT, outside_leave_for_read(fd));
}

HOOK_EXPORT ssize_t recvfrom(int fd, void *to, size_t n, int flags, struct sockaddr *from,
			     socklen_t *length)
{
	real_ready();
	if (flags & MSG_WAITALL)
		channel_give_up(fd, HOOK_CALLER);
	IN_CHANNEL(fd, POLLIN, flags & MSG_DONTWAIT, real.recvfrom(fd, to, n, flags, from, length));
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
		IN_CHANNEL(fd, POLLIN, flags & MSG_DONTWAIT, real.recvmsg(fd, m, flags));
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

/* Before and after the original: locks wait for others, flags and numbers change. */
static void before_fcntl(int command)
{
	if (command == F_SETLKW || command == F_OFD_SETLKW)
		outside_leave();
}

static int copied(int fd, int copy)
{
	outside_forget(copy);
	state_copy_fd(fd, copy);
	channel_copied(fd, copy);
	return copy;
}

static int after_fcntl(int fd, int command, int result)
{
	outside_return();
	if (command == F_SETFL)
		outside_forget_all();
	else if (command == F_DUPFD || command == F_DUPFD_CLOEXEC)
		copied(fd, result);
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
	return after_fcntl(fd, command, real.fcntl(fd, command, argument));
}

HOOK_EXPORT int fcntl64(int fd, int command, ...)
{
	LAST_ARGUMENT(command, argument);
	real_ready();
	before_fcntl(command);
	return after_fcntl(fd, command, real.fcntl64(fd, command, argument));
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

static int new_set(int set)
{
	outside_forget(set);
	channel_set_made(set);
	return set;
}

HOOK_EXPORT int epoll_create(int size)
{
	real_ready();
	return new_set(real.epoll_create(size));
}

HOOK_EXPORT int epoll_create1(int flags)
{
	real_ready();
	return new_set(real.epoll_create1(flags));
}

HOOK_EXPORT int epoll_ctl(int set, int operation, int fd, struct epoll_event *event)
{
	real_ready();
	if (operation != EPOLL_CTL_DEL)
		channel_watched(set, fd);
	int result = real.epoll_ctl(set, operation, fd, event);
	/* It may be ready. */
	channel_touched(fd, HOOK_CALLER);
	return result;
}

HOOK_EXPORT int eventfd(unsigned value, int flags)
{
	real_ready();
	int fd = real.eventfd(value, flags);
	outside_forget(fd);
	channel_made(CHANNEL_COUNTER, fd, -1);
	return fd;
}

HOOK_EXPORT int dup(int fd)
{
	real_ready();
	return copied(fd, real.dup(fd));
}

HOOK_EXPORT int dup2(int fd, int to)
{
	real_ready();
	return fd == to ? real.dup2(fd, to) : copied(fd, real.dup2(fd, to));
}

HOOK_EXPORT int dup3(int fd, int to, int flags)
{
	real_ready();
	return copied(fd, real.dup3(fd, to, flags));
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

/* The others may have waited for it. */
HOOK_EXPORT int close(int fd)
{
	real_ready();
	enum channel_answer answer = channel_enter(fd, 0, true, HOOK_CALLER);
	int result = real.close(fd);
	if (answer == CHANNEL_READY)
		channel_leave(fd);
	else
		channel_touched(fd, HOOK_CALLER);
	outside_forget(fd);
	return result;
}

HOOK_EXPORT int shutdown(int fd, int how)
{
	real_ready();
	IN_CHANNEL(fd, 0, true, real.shutdown(fd, how));
	int result = real.shutdown(fd, how);
	channel_touched(fd, HOOK_CALLER);
	return result;
}

/* Waits that end by the clock are not those of a channel. */
HOOK_EXPORT int setsockopt(int fd, int level, int option, const void *value, socklen_t length)
{
	real_ready();
	if (level == SOL_SOCKET && (option == SO_RCVTIMEO || option == SO_SNDTIMEO || option == SO_RCVLOWAT))
		channel_give_up(fd, HOOK_CALLER);
	return real.setsockopt(fd, level, option, value, length);
}

static int new_pair(enum channel_kind kind, int result, const int *fds)
{
	if (result == 0) {
		outside_forget(fds[0]);
		outside_forget(fds[1]);
		channel_made(kind, fds[0], fds[1]);
	}
	return result;
}

HOOK_EXPORT int pipe(int fds[2])
{
	real_ready();
	return new_pair(CHANNEL_PIPE, real.pipe(fds), fds);
}

HOOK_EXPORT int pipe2(int fds[2], int flags)
{
	real_ready();
	return new_pair(CHANNEL_PIPE, real.pipe2(fds, flags), fds);
}

HOOK_EXPORT int socketpair(int domain, int type, int protocol, int fds[2])
{
	real_ready();
	return new_pair(CHANNEL_PAIR, real.socketpair(domain, type, protocol, fds), fds);
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
