/*
 * Calls whose effect lies in the kernel, where the reset engine cannot undo it: the run is given
 * up there and the program goes on with another engine.  Elsewhere they pass.  A system call
 * filter catches what goes around these functions.
 */
#include "rt/hook/kernel.h"

#include <stdarg.h>
#include <string.h>
#include <sys/syscall.h>

#include "rt/engine/files.h"
#include "rt/hook/io.h"
#include "rt/os/real.h"
#include "rt/os/sys.h"

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

static void before_open(int dir, const char *path, int flags)
{
	if (!rt_controlled() || files_can_open(dir, path, flags))
		return;
	rt_irreversible("open(\"%s\")%s", path,
			(flags & O_ACCMODE) == O_RDONLY ? "" : " for writing");
}

static int after_open(int fd, const char *path)
{
	if (fd >= 0 && rt_controlled())
		mark_random(fd, !strcmp(path, "/dev/urandom") || !strcmp(path, "/dev/random"));
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
	before_open(AT_FDCWD, path, flags);
	return after_open(REAL(open)(path, flags, mode), path);
}

RT_EXPORT int open64(const char *path, int flags, ...)
{
	va_list args;

	va_start(args, flags);
	mode_t mode = mode_argument(flags, args);
	va_end(args);
	before_open(AT_FDCWD, path, flags);
	return after_open(REAL(open64)(path, flags, mode), path);
}

RT_EXPORT int openat(int dir, const char *path, int flags, ...)
{
	va_list args;

	va_start(args, flags);
	mode_t mode = mode_argument(flags, args);
	va_end(args);
	before_open(dir, path, flags);
	return after_open(REAL(openat)(dir, path, flags, mode), path);
}

RT_EXPORT int openat64(int dir, const char *path, int flags, ...)
{
	va_list args;

	va_start(args, flags);
	mode_t mode = mode_argument(flags, args);
	va_end(args);
	before_open(dir, path, flags);
	return after_open(REAL(openat64)(dir, path, flags, mode), path);
}

RT_EXPORT FILE *fopen(const char *restrict path, const char *restrict mode)
{
	before_open(AT_FDCWD, path, mode[0] == 'r' && !strchr(mode, '+') ? O_RDONLY : O_RDWR);
	return REAL(fopen)(path, mode);
}

RT_EXPORT FILE *fopen64(const char *restrict path, const char *restrict mode)
{
	before_open(AT_FDCWD, path, mode[0] == 'r' && !strchr(mode, '+') ? O_RDONLY : O_RDWR);
	return REAL(fopen64)(path, mode);
}

/* Closing one end of a pipe wakes readers of the other. */
RT_EXPORT int close(int fd)
{
	if (!rt_controlled())
		return REAL(close)(fd);
	if (!files_opened(fd))
		rt_irreversible("close(%d)", fd);
	int result = REAL(close)(fd);

	mark_random(fd, false);
	sched_wake_io();
	return result;
}

RT_EXPORT int fcntl(int fd, int command, ...)
{
	va_list args;

	va_start(args, command);
	void *arg = va_arg(args, void *);
	va_end(args);
	if (!rt_controlled())
		return REAL(fcntl)(fd, command, arg);
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
		if (rt_controlled())                                                               \
			rt_irreversible(#name);                                                    \
		return REAL(name) arguments;                                                       \
	}

#define ANNOUNCED_PATH(type, name, parameters, arguments)                                          \
	RT_EXPORT type name parameters                                                             \
	{                                                                                          \
		if (rt_controlled())                                                               \
			rt_irreversible(#name "(\"%s\")", path);                                   \
		return REAL(name) arguments;                                                       \
	}

ANNOUNCED_PATH(int, creat, (const char *path, mode_t mode), (path, mode))
ANNOUNCED_PATH(int, creat64, (const char *path, mode_t mode), (path, mode))
ANNOUNCED_PATH(int, truncate, (const char *path, off_t length), (path, length))
ANNOUNCED_PATH(int, unlink, (const char *path), (path))
ANNOUNCED_PATH(int, unlinkat, (int dir, const char *path, int flags), (dir, path, flags))
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
ANNOUNCED(int, ftruncate, (int fd, off_t length), (fd, length))
ANNOUNCED(mode_t, umask, (mode_t mask), (mask))
ANNOUNCED(int, dup, (int fd), (fd))
ANNOUNCED(int, dup2, (int fd, int to), (fd, to))
ANNOUNCED(int, dup3, (int fd, int to, int flags), (fd, to, flags))
ANNOUNCED(int, pipe, (int fds[2]), (fds))
ANNOUNCED(int, pipe2, (int fds[2], int flags), (fds, flags))
ANNOUNCED(int, socket, (int domain, int type, int protocol), (domain, type, protocol))
ANNOUNCED(int, socketpair, (int domain, int type, int protocol, int fds[2]),
	  (domain, type, protocol, fds))
ANNOUNCED(int, bind, (int fd, const struct sockaddr *at, socklen_t n), (fd, at, n))
ANNOUNCED(int, listen, (int fd, int backlog), (fd, backlog))
ANNOUNCED(int, eventfd, (unsigned int count, int flags), (count, flags))
ANNOUNCED(int, timerfd_create, (clockid_t clock, int flags), (clock, flags))
ANNOUNCED(int, signalfd, (int fd, const sigset_t *mask, int flags), (fd, mask, flags))
ANNOUNCED(int, inotify_init, (void), ())
ANNOUNCED(int, inotify_init1, (int flags), (flags))
ANNOUNCED(int, epoll_create, (int size), (size))
ANNOUNCED(int, epoll_create1, (int flags), (flags))
ANNOUNCED(void *, mmap, (void *at, size_t n, int prot, int flags, int fd, off_t offset),
	  (at, n, prot, flags, fd, offset))
ANNOUNCED(void *, mmap64, (void *at, size_t n, int prot, int flags, int fd, off64_t offset),
	  (at, n, prot, flags, fd, offset))
ANNOUNCED(int, munmap, (void *at, size_t n), (at, n))
ANNOUNCED(int, mprotect, (void *at, size_t n, int prot), (at, n, prot))
ANNOUNCED(int, madvise, (void *at, size_t n, int advice), (at, n, advice))

RT_EXPORT off_t lseek(int fd, off_t offset, int whence)
{
	if (rt_controlled() && !files_opened(fd))
		rt_irreversible("lseek");
	return REAL(lseek)(fd, offset, whence);
}

RT_EXPORT off64_t lseek64(int fd, off64_t offset, int whence)
{
	if (rt_controlled() && !files_opened(fd))
		rt_irreversible("lseek64");
	return REAL(lseek64)(fd, offset, whence);
}

/*
 * The C library looks at its return address to know whose search path to use.  These are jumps, not
 * calls, in optimised code, and so it sees the program's.
 */
ANNOUNCED(void *, dlopen, (const char *path, int flags), (path, flags))
ANNOUNCED(int, dlclose, (void *handle), (handle))

/* These can make another thread's descriptor ready. */
RT_EXPORT int shutdown(int fd, int how)
{
	if (!rt_controlled())
		return REAL(shutdown)(fd, how);
	rt_irreversible("shutdown");
	int result = REAL(shutdown)(fd, how);

	sched_wake_io();
	return result;
}

RT_EXPORT int epoll_ctl(int fd, int operation, int on, struct epoll_event *event)
{
	if (!rt_controlled())
		return REAL(epoll_ctl)(fd, operation, on, event);
	rt_irreversible("epoll_ctl");
	int result = REAL(epoll_ctl)(fd, operation, on, event);

	sched_wake_io();
	return result;
}

RT_EXPORT void *mremap(void *at, size_t old, size_t n, int flags, ...)
{
	va_list args;

	va_start(args, flags);
	void *to = va_arg(args, void *);
	va_end(args);
	if (rt_controlled())
		rt_irreversible("mremap");
	return REAL(mremap)(at, old, n, flags, to);
}
