/* Making descriptors of the model, and copies of them. */
#include <errno.h>
#include <fcntl.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>

#include "guest/check/hook/system/fd.h"
#include "guest/os/real.h"

_Static_assert(O_NONBLOCK == SOCK_NONBLOCK && O_NONBLOCK == EFD_NONBLOCK, "one flag");
_Static_assert(O_CLOEXEC == SOCK_CLOEXEC && O_CLOEXEC == EFD_CLOEXEC, "one flag");
_Static_assert(O_CLOEXEC == EPOLL_CLOEXEC, "one flag");

static uint16_t flags_of(int flags)
{
	return (uint16_t)((flags & O_NONBLOCK ? FDS_NONBLOCK : 0) |
			  (flags & O_CLOEXEC ? FDS_CLOEXEC : 0));
}

static int refuse(int number)
{
	errno = number;
	return -1;
}

RT_EXPORT int pipe2(int fds[2], int flags)
{
	struct fds_call call = {.op = FDS_DO_PIPE, .flags = flags_of(flags)};

	if (!rt_controlled())
		return REAL(pipe2)(fds, flags);
	/* Packets and notifications in pipes are not modelled. */
	if (!(flags & ~(O_NONBLOCK | O_CLOEXEC)) && fd_make_two(call, fds))
		return 0;
	rt_irreversible("pipe2");
	return REAL(pipe2)(fds, flags);
}

RT_EXPORT int pipe(int fds[2])
{
	return rt_controlled() ? pipe2(fds, 0) : REAL(pipe)(fds);
}

static enum fds_kind kind_of(int type)
{
	switch (type & ~(SOCK_NONBLOCK | SOCK_CLOEXEC)) {
	case SOCK_STREAM:
		return FDS_STREAM;
	case SOCK_SEQPACKET:
		return FDS_SEQUENCE;
	case SOCK_DGRAM:
		return FDS_DATAGRAM;
	default:
		return FDS_FREE;
	}
}

RT_EXPORT int socketpair(int domain, int type, int protocol, int fds[2])
{
	struct fds_call call = {.op = FDS_DO_PAIR, .value = kind_of(type), .flags = flags_of(type)};

	if (!rt_controlled())
		return REAL(socketpair)(domain, type, protocol, fds);
	if (domain == AF_UNIX && call.value != FDS_FREE && fd_make_two(call, fds))
		return 0;
	rt_irreversible("socketpair");
	return REAL(socketpair)(domain, type, protocol, fds);
}

RT_EXPORT int eventfd(unsigned int count, int flags)
{
	struct fds_call call = {.op = FDS_DO_COUNTER,
				.value = count,
				.extra = flags & EFD_SEMAPHORE ? FDS_TOKENS : FDS_COUNTER,
				.flags = flags_of(flags)};
	int fd;

	if (!rt_controlled())
		return REAL(eventfd)(count, flags);
	if (flags & ~(EFD_SEMAPHORE | EFD_NONBLOCK | EFD_CLOEXEC))
		return refuse(EINVAL);
	if (fd_make_one(call, &fd))
		return fd;
	rt_irreversible("eventfd");
	return REAL(eventfd)(count, flags);
}

RT_EXPORT int epoll_create1(int flags)
{
	struct fds_call call = {.op = FDS_DO_EPOLL, .flags = flags_of(flags)};
	int fd;

	if (!rt_controlled())
		return REAL(epoll_create1)(flags);
	if (flags & ~EPOLL_CLOEXEC)
		return refuse(EINVAL);
	if (fd_make_one(call, &fd))
		return fd;
	rt_irreversible("epoll_create1");
	return REAL(epoll_create1)(flags);
}

RT_EXPORT int epoll_create(int size)
{
	if (!rt_controlled())
		return REAL(epoll_create)(size);
	return size <= 0 ? refuse(EINVAL) : epoll_create1(0);
}

/* ---- copies ---- */

RT_EXPORT int dup(int fd)
{
	int copy;

	if (!rt_controlled())
		return REAL(dup)(fd);
	if (fd_dup(fd, (struct fds_call){.op = FDS_DO_DUP}, &copy))
		return copy;
	rt_irreversible("dup");
	return REAL(dup)(fd);
}

/* A copy of one of the kernel's descriptors under a number of the model. */
static void make_way(int fd, int to)
{
	int ignored;

	if (fd != to && fds_modelled(to))
		fd_close(to, &ignored);
}

RT_EXPORT int dup3(int fd, int to, int flags)
{
	struct fds_call call = {.op = FDS_DO_DUP2, .to = to, .flags = flags_of(flags)};
	int copy;

	if (!rt_controlled())
		return REAL(dup3)(fd, to, flags);
	if (fd == to)
		return refuse(EINVAL);
	if (fd_dup(fd, call, &copy))
		return copy;
	rt_irreversible("dup3");
	make_way(fd, to);
	return REAL(dup3)(fd, to, flags);
}

RT_EXPORT int dup2(int fd, int to)
{
	struct fds_call call = {.op = FDS_DO_DUP2, .to = to};
	int copy;

	if (!rt_controlled())
		return REAL(dup2)(fd, to);
	if (fd_dup(fd, call, &copy))
		return copy;
	rt_irreversible("dup2");
	make_way(fd, to);
	return REAL(dup2)(fd, to);
}
