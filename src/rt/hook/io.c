#include "rt/hook/io.h"

#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>

#include "rt/engine/files.h"
#include "rt/hook/cancel.h"
#include "rt/hook/random.h"
#include "rt/hook/kernel.h"
#include "rt/mem/undo.h"
#include "rt/os/real.h"
#include "rt/os/sys.h"
#include "rt/rec/rec.h"

enum step_result io_step(struct rt_op *op, int64_t timeout_ns)
{
	enum step_result step;

	op->flags = OP_IO | OP_CANCEL;
	if (timeout_ns == 0)
		op->ready = NULL;
	if (timeout_ns == 0)
		op->flags |= OP_YIELD;
	if (timeout_ns > 0)
		call_expires_after(op, (uint64_t)timeout_ns);
	step = sched_step(op);
	cancel_point();
	return step;
}

void io_done(uint32_t site, int fd, long result, enum wire_io what)
{
	int saved = errno;

	rec_event(EVENT_IO, site, (uint64_t)(int64_t)fd, (uint64_t)result, what);
	sched_wake_io();
	errno = saved;
}

static bool fd_ready(struct rt_thread *t, const struct rt_op *op)
{
	struct pollfd p = {(int)op->addr, (short)op->value, 0};

	/* An error or a hang-up counts: the call will not block then. */
	return sys_call(SYS_poll, (long)&p, 1, 0, 0, 0, 0) != 0;
}

static bool is_nonblocking(int fd)
{
	long flags = sys_call(SYS_fcntl, fd, F_GETFL, 0, 0, 0, 0);

	return flags < 0 || (flags & O_NONBLOCK);
}

/* The step before a call that might block on fd; returns the call site. */
static uint32_t wait_for(int fd, short events, bool blocks)
{
	struct rt_op op = call_op(EVENT_IO, NULL, NULL);

	op.addr = (uint64_t)(int64_t)fd;
	op.value = (uint64_t)events;
	if (blocks && !is_nonblocking(fd))
		op.ready = fd_ready;
	io_step(&op, -1);
	return op.site;
}

/*
 * The engine puts the offset of standard input back, and files that the run opened are opened anew
 * in the next one; what came through a pipe, or from any other descriptor, is gone.
 */
static uint32_t before_read(int fd, bool blocks)
{
	if (files_opened(fd))
		return wait_for(fd, POLLIN, blocks);
	if (fd != 0 || sys_call(SYS_lseek, fd, 0, SEEK_CUR, 0, 0, 0) < 0)
		rt_irreversible("read from descriptor %d", fd);
	return wait_for(fd, POLLIN, blocks);
}

static uint32_t before_write(int fd, bool blocks)
{
	if (fd != 1 && fd != 2)
		rt_irreversible("write to descriptor %d", fd);
	undo_opaque(); /* tells the engine that there is output to rewind */
	return wait_for(fd, POLLOUT, blocks);
}

/* ---- reading ---- */

RT_EXPORT ssize_t read(int fd, void *to, size_t n)
{
	if (!rt_controlled())
		return REAL(read)(fd, to, n);
	if (kernel_is_random(fd))
		return random_fill(to, n);
	uint32_t site = before_read(fd, true);
	ssize_t got;

	undo_touch(to, n);
	got = REAL(read)(fd, to, n);
	io_done(site, fd, got, IO_READ);
	return got;
}

RT_EXPORT ssize_t readv(int fd, const struct iovec *parts, int count)
{
	if (!rt_controlled())
		return REAL(readv)(fd, parts, count);
	uint32_t site = before_read(fd, true);
	ssize_t got;

	for (int i = 0; i < count; i++)
		undo_touch(parts[i].iov_base, parts[i].iov_len);
	got = REAL(readv)(fd, parts, count);
	io_done(site, fd, got, IO_READ);
	return got;
}

/* Reading at a place moves no offset and never blocks; only the filter must not see it. */
static ssize_t read_at(int fd, void *to, size_t n, off_t at)
{
	uint32_t site = wait_for(fd, POLLIN, false);
	long got;

	undo_touch(to, n);
	got = sys_call(SYS_pread64, fd, (long)to, (long)n, at, 0, 0);
	if (got < 0)
		errno = (int)-got;
	got = got < 0 ? -1 : got;
	io_done(site, fd, got, IO_READ);
	return got;
}

RT_EXPORT ssize_t pread(int fd, void *to, size_t n, off_t at)
{
	return rt_controlled() ? read_at(fd, to, n, at) : REAL(pread)(fd, to, n, at);
}

RT_EXPORT ssize_t pread64(int fd, void *to, size_t n, off64_t at)
{
	return rt_controlled() ? read_at(fd, to, n, at) : REAL(pread64)(fd, to, n, at);
}

RT_EXPORT ssize_t recv(int fd, void *to, size_t n, int flags)
{
	if (!rt_controlled())
		return REAL(recv)(fd, to, n, flags);
	uint32_t site = before_read(fd, !(flags & MSG_DONTWAIT));
	ssize_t got = REAL(recv)(fd, to, n, flags);

	io_done(site, fd, got, IO_READ);
	return got;
}

RT_EXPORT ssize_t recvfrom(int fd, void *restrict to, size_t n, int flags,
			   struct sockaddr *restrict from, socklen_t *restrict from_bytes)
{
	if (!rt_controlled())
		return REAL(recvfrom)(fd, to, n, flags, from, from_bytes);
	uint32_t site = before_read(fd, !(flags & MSG_DONTWAIT));
	ssize_t got = REAL(recvfrom)(fd, to, n, flags, from, from_bytes);

	io_done(site, fd, got, IO_READ);
	return got;
}

RT_EXPORT ssize_t recvmsg(int fd, struct msghdr *message, int flags)
{
	if (!rt_controlled())
		return REAL(recvmsg)(fd, message, flags);
	uint32_t site = before_read(fd, !(flags & MSG_DONTWAIT));
	ssize_t got = REAL(recvmsg)(fd, message, flags);

	io_done(site, fd, got, IO_READ);
	return got;
}

/* ---- writing ---- */

/* A pipe or a stream: a long write waits in the middle, possibly for a thread of this program. */
static bool writes_in_pieces(int fd)
{
	struct stat s;

	return fd > 2 && !is_nonblocking(fd) && fstat(fd, &s) == 0 &&
	       (S_ISFIFO(s.st_mode) || S_ISSOCK(s.st_mode));
}

/* Writes without ever blocking in the kernel: what does not fit waits in the scheduler. */
static ssize_t write_in_pieces(int fd, const char *from, size_t n)
{
	int flags = (int)sys_call(SYS_fcntl, fd, F_GETFL, 0, 0, 0, 0);
	size_t written = 0;

	for (;;) {
		sys_call(SYS_fcntl, fd, F_SETFL, flags | O_NONBLOCK, 0, 0, 0);
		ssize_t now = REAL(write)(fd, from + written, n - written);
		int number = errno;

		sys_call(SYS_fcntl, fd, F_SETFL, flags, 0, 0, 0);
		written += now > 0 ? (size_t)now : 0;
		if (written == n)
			return (ssize_t)written;
		if (now < 0 && number != EAGAIN) {
			errno = number;
			return written ? (ssize_t)written : -1;
		}
		sched_wake_io();
		wait_for(fd, POLLOUT, true);
	}
}

RT_EXPORT ssize_t write(int fd, const void *from, size_t n)
{
	if (!rt_controlled())
		return REAL(write)(fd, from, n);
	uint32_t site = before_write(fd, true);
	ssize_t put =
		writes_in_pieces(fd) ? write_in_pieces(fd, from, n) : REAL(write)(fd, from, n);

	io_done(site, fd, put, IO_WRITE);
	return put;
}

RT_EXPORT ssize_t writev(int fd, const struct iovec *parts, int count)
{
	if (!rt_controlled())
		return REAL(writev)(fd, parts, count);
	uint32_t site = before_write(fd, true);
	ssize_t put = REAL(writev)(fd, parts, count);

	io_done(site, fd, put, IO_WRITE);
	return put;
}

RT_EXPORT ssize_t pwrite(int fd, const void *from, size_t n, off_t at)
{
	if (!rt_controlled())
		return REAL(pwrite)(fd, from, n, at);
	rt_irreversible("pwrite to descriptor %d", fd);
	uint32_t site = wait_for(fd, POLLOUT, false);
	ssize_t put = REAL(pwrite)(fd, from, n, at);

	io_done(site, fd, put, IO_WRITE);
	return put;
}

RT_EXPORT ssize_t pwrite64(int fd, const void *from, size_t n, off64_t at)
{
	return rt_controlled() ? pwrite(fd, from, n, at) : REAL(pwrite64)(fd, from, n, at);
}

RT_EXPORT ssize_t send(int fd, const void *from, size_t n, int flags)
{
	if (!rt_controlled())
		return REAL(send)(fd, from, n, flags);
	uint32_t site = before_write(fd, !(flags & MSG_DONTWAIT));
	/* Only a plain send may be cut into writes. */
	bool pieces = (flags & ~MSG_NOSIGNAL) == 0 && n > PIPE_BUF && writes_in_pieces(fd);
	ssize_t put = pieces ? write_in_pieces(fd, from, n) : REAL(send)(fd, from, n, flags);

	io_done(site, fd, put, IO_WRITE);
	return put;
}

RT_EXPORT ssize_t sendto(int fd, const void *from, size_t n, int flags, const struct sockaddr *to,
			 socklen_t to_bytes)
{
	if (!rt_controlled())
		return REAL(sendto)(fd, from, n, flags, to, to_bytes);
	uint32_t site = before_write(fd, !(flags & MSG_DONTWAIT));
	ssize_t put = REAL(sendto)(fd, from, n, flags, to, to_bytes);

	io_done(site, fd, put, IO_WRITE);
	return put;
}

RT_EXPORT ssize_t sendmsg(int fd, const struct msghdr *message, int flags)
{
	if (!rt_controlled())
		return REAL(sendmsg)(fd, message, flags);
	uint32_t site = before_write(fd, !(flags & MSG_DONTWAIT));
	ssize_t put = REAL(sendmsg)(fd, message, flags);

	io_done(site, fd, put, IO_WRITE);
	return put;
}

/* The C library's own would block inside it. */
RT_EXPORT int eventfd_read(int fd, eventfd_t *value)
{
	if (!rt_controlled())
		return REAL(eventfd_read)(fd, value);
	return read(fd, value, sizeof(*value)) == sizeof(*value) ? 0 : -1;
}

RT_EXPORT int eventfd_write(int fd, eventfd_t value)
{
	if (!rt_controlled())
		return REAL(eventfd_write)(fd, value);
	return write(fd, &value, sizeof(value)) == sizeof(value) ? 0 : -1;
}

/* ---- connections ---- */

RT_EXPORT int accept4(int fd, struct sockaddr *restrict from, socklen_t *restrict from_bytes,
		      int flags)
{
	if (!rt_controlled())
		return REAL(accept4)(fd, from, from_bytes, flags);
	rt_irreversible("accept");
	uint32_t site = wait_for(fd, POLLIN, true);
	int made = REAL(accept4)(fd, from, from_bytes, flags);

	io_done(site, fd, made, IO_ACCEPT);
	return made;
}

RT_EXPORT int accept(int fd, struct sockaddr *restrict from, socklen_t *restrict from_bytes)
{
	return rt_controlled() ? accept4(fd, from, from_bytes, 0)
			       : REAL(accept)(fd, from, from_bytes);
}

RT_EXPORT int connect(int fd, const struct sockaddr *to, socklen_t to_bytes)
{
	if (!rt_controlled())
		return REAL(connect)(fd, to, to_bytes);
	rt_irreversible("connect");
	/* A listening peer's queue takes the connection at once: nothing to wait for here. */
	uint32_t site = wait_for(fd, POLLOUT, false);
	int result = REAL(connect)(fd, to, to_bytes);

	io_done(site, fd, result, IO_CONNECT);
	return result;
}
