/* ioctl and other questions about descriptors, as far as they concern the model's. */
#include <errno.h>
#include <stdarg.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <termios.h>

#include "guest/check/hook/system/fd.h"
#include "guest/check/hook/system/fd_release.h"
#include "guest/check/hook/system/io.h"
#include "guest/check/hook/memory/user.h"
#include "guest/check/mem/undo.h"
#include "guest/os/real.h"

/* What is known of descriptors of the model. */
static bool control_modelled(int fd, unsigned long request, void *arg, int *result)
{
	int value;

	switch (request) {
	case FIONBIO:
		user_read(&value, arg, sizeof(value), rt_self()->last_site);
		return fd_property((struct fds_call){.op = FDS_DO_SETFL,
						     .fd = fd,
						     .flags = value ? FDS_NONBLOCK : 0},
				   result);
	case FIOCLEX:
	case FIONCLEX:
		return fd_property((struct fds_call){.op = FDS_DO_SETFD,
						     .fd = fd,
						     .value = request == FIOCLEX},
				   result);
	case FIONREAD:
		if (!fd_look(fd, result))
			return false;
		value = *result;
		if (*result >= 0)
			user_write(arg, &value, sizeof(value), rt_self()->last_site);
		*result = *result < 0 ? -1 : 0;
		return true;
	default:
		fd_release(sched_take_site(), "an unusual ioctl");
		return false;
	}
}

/* Requests of terminals and the like, with what they fill in. */
static size_t answer_size(unsigned long request)
{
	switch (request) {
	case TIOCGWINSZ:
		return sizeof(struct winsize);
	case TCGETS:
		return 60;
	case FIONREAD:
		return sizeof(int);
	default:
		return 0;
	}
}

RT_EXPORT int ioctl(int fd, unsigned long request, ...)
{
	va_list args;
	int result;

	va_start(args, request);
	void *arg = va_arg(args, void *);
	va_end(args);
	if (!rt_controlled())
		return REAL(ioctl)(fd, request, arg);
	if (fds_modelled(fd) && control_modelled(fd, request, arg, &result))
		return result;
	struct rt_op op = call_op(EVENT_IO, NULL, NULL);
	size_t size = answer_size(request);

	if (!size)
		rt_irreversible("ioctl");
	if (!size)
		rt_unseen(op.site, "ioctl(%d, 0x%lx)", fd, request);
	sched_step(&op);
	undo_touch(arg, size);
	result = REAL(ioctl)(fd, request, arg);
	io_done(op.site, fd, result, IO_READ);
	if (result == 0)
		user_was_written(&(struct iovec){arg, size}, 1, size, op.site);
	return result;
}

/* ---- what kind of thing it is ---- */

static mode_t mode_of(int fd)
{
	const struct fds_file *f = &fds_world.file[fds_world.number[fd] - 1];

	switch (fds_world.queue[f->in != FDS_NONE ? f->in : f->out].kind) {
	case FDS_PIPE:
		return S_IFIFO | 0600;
	case FDS_STREAM:
	case FDS_SEQUENCE:
	case FDS_DATAGRAM:
		return S_IFSOCK | 0777;
	default:
		return 0600;
	}
}

static int stat_modelled(int fd, struct stat *s)
{
	undo_touch(s, sizeof(*s));
	memset(s, 0, sizeof(*s));
	s->st_mode = mode_of(fd);
	s->st_nlink = 1;
	s->st_blksize = 4096;
	s->st_ino = fds_world.number[fd];
	return 0;
}

RT_EXPORT int fstat(int fd, struct stat *s)
{
	return rt_controlled() && fds_modelled(fd) ? stat_modelled(fd, s) : REAL(fstat)(fd, s);
}

_Static_assert(sizeof(struct stat) == sizeof(struct stat64), "one layout");

RT_EXPORT int fstat64(int fd, struct stat64 *s)
{
	return rt_controlled() && fds_modelled(fd) ? stat_modelled(fd, (struct stat *)(void *)s)
						   : REAL(fstat64)(fd, s);
}

RT_EXPORT int isatty(int fd)
{
	if (!rt_controlled() || !fds_modelled(fd))
		return REAL(isatty)(fd);
	errno = ENOTTY;
	return 0;
}
