/* Wrappers of what makes, changes and closes descriptors. */
#include "guest/stable/hook/hook.h"
#include "guest/stable/hook/outside.h"
#include "guest/stable/real.h"
#include "guest/stable/world/channel.h"
#include "guest/stable/world/state.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <unistd.h>

/* Before and after the original: locks wait for others, flags and numbers change. */
static void before_fcntl(int command)
{
	if (command == F_SETLKW || command == F_OFD_SETLKW)
		outside_leave();
}

static int copied(int fd, int copy)
{
	channel_forget(copy);
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
		channel_forget(made);                                                              \
		return made;                                                                       \
	}

MAKES(int, socket, (int domain, int type, int protocol), (domain, type, protocol))

static int new_set(int set)
{
	channel_forget(set);
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
	channel_forget(fd);
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
	channel_forget(fd);
	return result;
}

HOOK_EXPORT int shutdown(int fd, int how)
{
	real_ready();
	CHANNEL_FIRST(fd, 0, true, real.shutdown(fd, how));
	int result = real.shutdown(fd, how);
	channel_touched(fd, HOOK_CALLER);
	return result;
}

/* Waits that end by the clock are not those of a channel. */
HOOK_EXPORT int setsockopt(int fd, int level, int option, const void *value, socklen_t length)
{
	real_ready();
	if (level == SOL_SOCKET &&
	    (option == SO_RCVTIMEO || option == SO_SNDTIMEO || option == SO_RCVLOWAT))
		channel_give_up(fd, HOOK_CALLER);
	return real.setsockopt(fd, level, option, value, length);
}

static int new_pair(enum channel_kind kind, int result, const int *fds)
{
	if (result == 0) {
		channel_forget(fds[0]);
		channel_forget(fds[1]);
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

HOOK_EXPORT int accept(int fd, struct sockaddr *restrict from, socklen_t *restrict length)
{
	real_ready();
	outside_leave_for_read(fd);
	int made = real.accept(fd, from, length);
	outside_return();
	channel_forget(made);
	return made;
}

HOOK_EXPORT int accept4(int fd, struct sockaddr *restrict from, socklen_t *restrict length,
			int flags)
{
	real_ready();
	outside_leave_for_read(fd);
	int made = real.accept4(fd, from, length, flags);
	outside_return();
	channel_forget(made);
	return made;
}
