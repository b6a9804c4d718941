/*
 * Calls whose effect lies in the kernel, where the reset engine cannot undo it: the run is given
 * up there and the program goes on with another engine.  Elsewhere they pass.  A system call
 * filter catches what goes around these functions.
 */
#include "guest/check/hook/system/kernel.h"

#include <errno.h>
#include <stdarg.h>
#include <string.h>
#include <sys/syscall.h>

#include "guest/check/engine/files.h"
#include "guest/check/hook/system/fd.h"
#include "guest/check/hook/system/feed.h"
#include "guest/check/hook/system/file.h"
#include "guest/check/hook/system/io.h"
#include "guest/os/fmt.h"
#include "guest/os/real.h"
#include "guest/os/sys.h"

#define RANDOM_FDS 1024
static RT_RUN uint64_t random_fds[RANDOM_FDS / 64];

bool kernel_is_random(int fd)
{
	return (unsigned int)fd < RANDOM_FDS && (random_fds[fd / 64] >> fd % 64 & 1);
}

static void mark_random(int fd, bool is_random)
{
	if ((unsigned int)fd >= RANDOM_FDS)
		return;
	random_fds[fd / 64] &= ~(UINT64_C(1) << fd % 64);
	random_fds[fd / 64] |= (uint64_t)is_random << fd % 64;
}

/* ---- opening and closing ---- */

static uint32_t before_open(int dir, const char *path, int flags)
{
	if (!rt_controlled())
		return SITE_NONE;
	if (!files_can_open(dir, path, flags))
		rt_irreversible("open(\"%s\")%s", path,
				(flags & O_ACCMODE) == O_RDONLY ? "" : " for writing");
	return file_number_step("open", path);
}

/* The memory of a process as a file. */
static bool is_memory(const char *path)
{
	size_t n = strlen(path);

	return n > 10 && !strncmp(path, "/proc/", 6) && !strcmp(path + n - 4, "/mem");
}

/* How a file is opened, and by whom. */
struct opening {
	int dir;
	const char *path;
	int flags;
	uint32_t site;
	int kept;    /* descriptor of the file as a recording has it, -1: it has none */
	int refused; /* as it was then: the error */
	char name[32];
};

/* What is opened in its place; there is no file without a name. */
static const char *open_name(const struct opening *o)
{
	if (o->refused)
		return "";
	return o->kept >= 0 ? o->name : o->path;
}

static void open_begin(struct opening *o, unsigned int kind, int dir, const char *path, int flags)
{
	*o = (struct opening){dir, path, flags, SITE_NONE, -1, 0, ""};
	o->refused = rt_controlled() ? feed_refusal(kind, path) : 0;
	o->site = before_open(dir, open_name(o), flags);
	if (!o->refused && rt_controlled() && (flags & O_ACCMODE) == O_RDONLY &&
	    !(flags & (O_TRUNC | O_CREAT)))
		o->kept = feed_file(path);
	fmt_text(o->name, sizeof(o->name), "/proc/self/fd/%d", o->kept);
}

static int open_end(int fd, const struct opening *o)
{
	int saved = errno;

	feed_file_done(o->kept);
	if (o->refused)
		errno = o->refused;
	if (fd < 0 || !rt_controlled())
		return fd;
	if (is_memory(o->path))
		rt_unseen(o->site, "%s is opened: memory as a file", o->path);
	mark_random(fd, !strcmp(o->path, "/dev/urandom") || !strcmp(o->path, "/dev/random"));
	if (o->flags & O_TRUNC)
		file_used(fd, FILE_WRITE_AT, o->site);
	errno = saved;
	return fd;
}

static mode_t mode_argument(int flags, va_list args)
{
	return flags & (O_CREAT | O_TMPFILE) ? va_arg(args, mode_t) : 0;
}

RT_EXPORT int open(const char *path, int flags, ...)
{
	va_list args;

	va_start(args, flags);
	mode_t mode = mode_argument(flags, args);
	va_end(args);
	struct opening o;

	open_begin(&o, RECORD_IN_OPEN, AT_FDCWD, path, flags);
	return open_end(REAL(open)(open_name(&o), flags, mode), &o);
}

RT_EXPORT int open64(const char *path, int flags, ...)
{
	va_list args;

	va_start(args, flags);
	mode_t mode = mode_argument(flags, args);
	va_end(args);
	struct opening o;

	open_begin(&o, RECORD_IN_OPEN, AT_FDCWD, path, flags);
	return open_end(REAL(open64)(open_name(&o), flags, mode), &o);
}

RT_EXPORT int openat(int dir, const char *path, int flags, ...)
{
	va_list args;

	va_start(args, flags);
	mode_t mode = mode_argument(flags, args);
	va_end(args);
	struct opening o;

	open_begin(&o, RECORD_IN_OPEN, dir, path, flags);
	return open_end(REAL(openat)(dir, open_name(&o), flags, mode), &o);
}

RT_EXPORT int openat64(int dir, const char *path, int flags, ...)
{
	va_list args;

	va_start(args, flags);
	mode_t mode = mode_argument(flags, args);
	va_end(args);
	struct opening o;

	open_begin(&o, RECORD_IN_OPEN, dir, path, flags);
	return open_end(REAL(openat64)(dir, open_name(&o), flags, mode), &o);
}

RT_EXPORT int creat(const char *path, mode_t mode)
{
	return rt_controlled() ? open(path, O_CREAT | O_WRONLY | O_TRUNC, mode)
			       : REAL(creat)(path, mode);
}

RT_EXPORT int creat64(const char *path, mode_t mode)
{
	return rt_controlled() ? open(path, O_CREAT | O_WRONLY | O_TRUNC, mode)
			       : REAL(creat64)(path, mode);
}

static int flags_of_mode(const char *mode)
{
	if (mode[0] == 'r')
		return strchr(mode, '+') ? O_RDWR : O_RDONLY;
	return mode[0] == 'w' ? O_RDWR | O_CREAT | O_TRUNC : O_RDWR | O_CREAT;
}

static FILE *fopen_end(FILE *f, const struct opening *o)
{
	open_end(f ? fileno_unlocked(f) : -1, o);
	return f;
}

RT_EXPORT FILE *fopen(const char *restrict path, const char *restrict mode)
{
	struct opening o;

	open_begin(&o, RECORD_IN_FOPEN, AT_FDCWD, path, flags_of_mode(mode));
	return fopen_end(REAL(fopen)(open_name(&o), mode), &o);
}

RT_EXPORT FILE *fopen64(const char *restrict path, const char *restrict mode)
{
	struct opening o;

	open_begin(&o, RECORD_IN_FOPEN, AT_FDCWD, path, flags_of_mode(mode));
	return fopen_end(REAL(fopen64)(open_name(&o), mode), &o);
}

/* Closing one end of a pipe wakes readers of the other. */
RT_EXPORT int close(int fd)
{
	int result;

	if (!rt_controlled())
		return REAL(close)(fd);
	if (fd_close(fd, &result))
		return result;
	if (!files_opened(fd))
		rt_irreversible("close(%d)", fd);
	file_number_step("close", "");
	result = REAL(close)(fd);

	mark_random(fd, false);
	feed_closed(fd);
	sched_wake_io();
	return result;
}

RT_EXPORT int fcntl(int fd, int command, ...)
{
	va_list args;

	va_start(args, command);
	void *arg = va_arg(args, void *);
	va_end(args);
	int result;

	if (!rt_controlled())
		return REAL(fcntl)(fd, command, arg);
	if (fd_control(fd, command, arg, &result))
		return result;
	/* Questions change nothing, but the filter does not look at arguments. */
	if (command == F_GETFL || command == F_GETFD) {
		long answer = sys_call(SYS_fcntl, fd, command, 0, 0, 0, 0);

		if (answer >= 0)
			return (int)answer;
	} else {
		rt_irreversible("fcntl(%d)", fd);
	}
	return REAL(fcntl)(fd, command, arg);
}

RT_EXPORT int fcntl64(int fd, int command, ...)
{
	va_list args;

	va_start(args, command);
	void *arg = va_arg(args, void *);
	va_end(args);
	return fcntl(fd, command, arg);
}

/* ---- everything that is only announced ---- */

#define ANNOUNCED(type, name, parameters, arguments)                                               \
	RT_EXPORT type name parameters                                                             \
	{                                                                                          \
		if (rt_controlled()) {                                                             \
			rt_irreversible(#name);                                                    \
			file_number_step(#name, "");                                               \
		}                                                                                  \
		return REAL(name) arguments;                                                       \
	}

#define ANNOUNCED_PATH(type, name, parameters, arguments)                                          \
	RT_EXPORT type name parameters                                                             \
	{                                                                                          \
		if (rt_controlled()) {                                                             \
			rt_irreversible(#name "(\"%s\")", path);                                   \
			file_names_step(#name, path);                                              \
		}                                                                                  \
		return REAL(name) arguments;                                                       \
	}

ANNOUNCED_PATH(int, unlink, (const char *path), (path))
ANNOUNCED_PATH(int, unlinkat, (int dir, const char *path, int flags), (dir, path, flags))
ANNOUNCED_PATH(int, remove, (const char *path), (path))
ANNOUNCED_PATH(int, rename, (const char *path, const char *to), (path, to))
ANNOUNCED_PATH(int, renameat, (int from, const char *path, int dir, const char *to),
	       (from, path, dir, to))
ANNOUNCED_PATH(int, mkdir, (const char *path, mode_t mode), (path, mode))
ANNOUNCED_PATH(int, mkdirat, (int dir, const char *path, mode_t mode), (dir, path, mode))
ANNOUNCED_PATH(int, rmdir, (const char *path), (path))
ANNOUNCED_PATH(int, link, (const char *path, const char *to), (path, to))
ANNOUNCED_PATH(int, symlink, (const char *path, const char *to), (path, to))
ANNOUNCED_PATH(int, chmod, (const char *path, mode_t mode), (path, mode))
ANNOUNCED_PATH(int, chdir, (const char *path), (path))
ANNOUNCED(int, fchmod, (int fd, mode_t mode), (fd, mode))
ANNOUNCED(int, fchdir, (int fd), (fd))
ANNOUNCED(mode_t, umask, (mode_t mask), (mask))
ANNOUNCED(int, socket, (int domain, int type, int protocol), (domain, type, protocol))

/* With a log nobody comes: the place need not be free, nor real. */
RT_EXPORT int bind(int fd, const struct sockaddr *at, socklen_t n)
{
	if (!rt_controlled())
		return REAL(bind)(fd, at, n);
	rt_irreversible("bind");
	return feed_on() ? 0 : REAL(bind)(fd, at, n);
}

RT_EXPORT int listen(int fd, int backlog)
{
	if (!rt_controlled())
		return REAL(listen)(fd, backlog);
	rt_irreversible("listen");
	return feed_on() ? 0 : REAL(listen)(fd, backlog);
}

ANNOUNCED(int, timerfd_create, (clockid_t clock, int flags), (clock, flags))
ANNOUNCED(int, signalfd, (int fd, const sigset_t *mask, int flags), (fd, mask, flags))
ANNOUNCED(int, inotify_init, (void), ())
ANNOUNCED(int, inotify_init1, (int flags), (flags))

RT_EXPORT int truncate(const char *path, off_t length)
{
	if (!rt_controlled())
		return REAL(truncate)(path, length);
	/* Through a descriptor, because that is how a file's contents are known. */
	int fd = open(path, O_WRONLY), result, saved;

	if (fd < 0)
		return -1;
	result = ftruncate(fd, length);
	saved = errno;
	close(fd);
	errno = saved;
	return result;
}

RT_EXPORT int ftruncate(int fd, off_t length)
{
	if (!rt_controlled())
		return REAL(ftruncate)(fd, length);
	struct rt_op op = call_op(EVENT_IO, NULL, NULL);
	int result, saved;

	rt_irreversible("ftruncate");
	sched_step(&op);
	result = REAL(ftruncate)(fd, length);
	saved = errno;
	io_done(op.site, fd, result, IO_WRITE);
	file_used(fd, FILE_WRITE_AT, op.site);
	errno = saved;
	return result;
}

static off64_t seek(int fd, off64_t offset, int whence)
{
	struct rt_op op = call_op(EVENT_IO, NULL, NULL);
	off64_t now;
	int saved;

	if (fds_covers(fd)) {
		errno = fds_modelled(fd) ? ESPIPE : EBADF;
		return -1;
	}
	if (!files_opened(fd))
		rt_irreversible("lseek");
	sched_step(&op);
	now = REAL(lseek64)(fd, offset, whence);
	saved = errno;
	io_done(op.site, fd, now, IO_SEEK);
	file_used(fd, FILE_SEEK, op.site);
	errno = saved;
	return now;
}

RT_EXPORT off_t lseek(int fd, off_t offset, int whence)
{
	return rt_controlled() ? seek(fd, offset, whence) : REAL(lseek)(fd, offset, whence);
}

RT_EXPORT off64_t lseek64(int fd, off64_t offset, int whence)
{
	return rt_controlled() ? seek(fd, offset, whence) : REAL(lseek64)(fd, offset, whence);
}

/*
 * The C library looks at its return address to know whose search path to use.  These are jumps, not
 * calls, in optimised code, and so it sees the program's.
 */
#define ANNOUNCED_JUMP(type, name, parameters, arguments)                                          \
	RT_EXPORT type name parameters                                                             \
	{                                                                                          \
		if (rt_controlled())                                                               \
			rt_irreversible(#name);                                                    \
		return REAL(name) arguments;                                                       \
	}

ANNOUNCED_JUMP(void *, dlopen, (const char *path, int flags), (path, flags))
ANNOUNCED_JUMP(int, dlclose, (void *handle), (handle))

/* These can make another thread's descriptor ready. */
RT_EXPORT int shutdown(int fd, int how)
{
	int result;

	if (!rt_controlled())
		return REAL(shutdown)(fd, how);
	if (fd_shutdown(fd, how, &result))
		return result;
	rt_irreversible("shutdown");
	result = REAL(shutdown)(fd, how);

	sched_wake_io();
	return result;
}

RT_EXPORT int epoll_ctl(int fd, int operation, int on, struct epoll_event *event)
{
	int result;

	if (!rt_controlled())
		return REAL(epoll_ctl)(fd, operation, on, event);
	feed_watch(operation, on, event);
	if (fd_epoll_ctl(fd, operation, on, event, &result))
		return result;
	/* The null device cannot be watched; when it is ready is in the log. */
	if (feed_is(on))
		return 0;
	rt_irreversible("epoll_ctl");
	result = REAL(epoll_ctl)(fd, operation, on, event);

	sched_wake_io();
	return result;
}
