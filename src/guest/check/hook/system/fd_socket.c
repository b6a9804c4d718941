/* Options and names of sockets of the model. */
#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>

#include "guest/check/hook/call.h"
#include "guest/check/hook/system/fd.h"
#include "guest/check/hook/system/fd_release.h"
#include "guest/check/mem/undo.h"
#include "guest/os/real.h"

static const struct fds_queue *queue_of(int fd)
{
	const struct fds_file *f = &fds_world.file[fds_world.number[fd] - 1];

	return &fds_world.queue[f->in != FDS_NONE ? f->in : f->out];
}

static bool is_socket(int fd)
{
	uint8_t kind = queue_of(fd)->kind;

	return kind == FDS_STREAM || kind == FDS_SEQUENCE || kind == FDS_DATAGRAM;
}

static int refuse(int number)
{
	errno = number;
	return -1;
}

static int type_of(int fd)
{
	uint8_t kind = queue_of(fd)->kind;

	return kind == FDS_STREAM     ? SOCK_STREAM
	       : kind == FDS_SEQUENCE ? SOCK_SEQPACKET
				      : SOCK_DGRAM;
}

/* What never changes; anything else makes the descriptors real. */
static bool answer(int fd, int level, int name, int *value)
{
	if (level != SOL_SOCKET)
		return false;
	switch (name) {
	case SO_TYPE:
		*value = type_of(fd);
		return true;
	case SO_DOMAIN:
		*value = AF_UNIX;
		return true;
	case SO_PROTOCOL:
	case SO_ERROR:
	case SO_ACCEPTCONN:
		*value = 0;
		return true;
	default:
		return false;
	}
}

RT_EXPORT int getsockopt(int fd, int level, int name, void *restrict to, socklen_t *restrict n)
{
	int value;

	if (!rt_controlled() || !fds_modelled(fd))
		return REAL(getsockopt)(fd, level, name, to, n);
	if (!is_socket(fd))
		return refuse(ENOTSOCK);
	if (!answer(fd, level, name, &value) || *n < sizeof(value)) {
		fd_release(sched_take_site(), "an unusual getsockopt");
		return REAL(getsockopt)(fd, level, name, to, n);
	}
	undo_touch(to, sizeof(value));
	memcpy(to, &value, sizeof(value));
	undo_touch(n, sizeof(*n));
	*n = sizeof(value);
	return 0;
}

RT_EXPORT int setsockopt(int fd, int level, int name, const void *from, socklen_t n)
{
	if (!rt_controlled())
		return REAL(setsockopt)(fd, level, name, from, n);
	if (fds_modelled(fd) && !is_socket(fd))
		return refuse(ENOTSOCK);
	if (fds_modelled(fd))
		fd_release(sched_take_site(), "setsockopt");
	rt_irreversible("setsockopt");
	return REAL(setsockopt)(fd, level, name, from, n);
}

/* Sockets of a pair have no name. */
static int no_name(int fd, struct sockaddr *to, socklen_t *n)
{
	sa_family_t family = AF_UNIX;

	if (!is_socket(fd))
		return refuse(ENOTSOCK);
	undo_touch(to, *n < sizeof(family) ? *n : sizeof(family));
	memcpy(to, &family, *n < sizeof(family) ? *n : sizeof(family));
	undo_touch(n, sizeof(*n));
	*n = sizeof(family);
	return 0;
}

RT_EXPORT int getsockname(int fd, struct sockaddr *restrict to, socklen_t *restrict n)
{
	return rt_controlled() && fds_modelled(fd) ? no_name(fd, to, n)
						   : REAL(getsockname)(fd, to, n);
}

RT_EXPORT int getpeername(int fd, struct sockaddr *restrict to, socklen_t *restrict n)
{
	return rt_controlled() && fds_modelled(fd) ? no_name(fd, to, n)
						   : REAL(getpeername)(fd, to, n);
}
