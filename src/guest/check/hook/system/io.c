#include "guest/check/hook/system/io.h"

#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>

#include "guest/check/engine/files.h"
#include "guest/check/hook/cancel.h"
#include "guest/check/hook/system/fd.h"
#include "guest/check/hook/system/fd_release.h"
#include "guest/check/hook/system/feed.h"
#include "guest/check/hook/system/file.h"
#include "guest/check/hook/system/random.h"
#include "guest/check/hook/system/kernel.h"
#include "guest/check/hook/memory/user.h"
#include "guest/check/mem/undo.h"
#include "guest/os/real.h"
#include "guest/os/sys.h"
#include "guest/check/rec/rec.h"

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

/* What a call on a descriptor of the kernel did to memory and to the file. */
static void after_read(uint32_t site, int fd, struct fd_parts to, long got, enum file_use use)
{
	int saved = errno;

	io_done(site, fd, got, IO_READ);
	file_used(fd, use, site);
	if (got > 0)
		user_was_written(to.part, to.count, (size_t)got, site);
	file_outside(fd, "read", site);
	errno = saved;
}

static void after_write(uint32_t site, int fd, struct fd_parts from, long put, enum file_use use)
{
	int saved = errno;

	io_done(site, fd, put, IO_WRITE);
	file_used(fd, use, site);
	if (put > 0)
		user_was_read(from.part, from.count, (size_t)put, site);
	errno = saved;
}

#define ONE(at, bytes) ((struct fd_parts){&(struct iovec){(void *)(uintptr_t)(at), bytes}, 1})

/* ---- descriptors of the model ---- */

static bool get_modelled(int fd, const struct iovec *parts, int count, unsigned int flags,
			 ssize_t *got)
{
	return fd_get(fd, (struct fd_parts){parts, count}, flags, got);
}

/* By the model, which the log does not answer for, or by the log. */
static bool get_known(unsigned int kind, int fd, struct fd_parts to, unsigned int flags,
		      ssize_t *got)
{
	if (get_modelled(fd, to.part, to.count, flags, got)) {
		feed_skip(kind);
		return true;
	}
	return feed_get(kind, fd, to.part, to.count, got);
}

static bool put_modelled(int fd, const struct iovec *parts, int count, unsigned int flags,
			 ssize_t *put)
{
	return fd_put(fd, (struct fd_parts){parts, count}, flags, put);
}

static bool put_known(unsigned int kind, int fd, struct fd_parts from, unsigned int flags,
		      ssize_t *put)
{
	if (put_modelled(fd, from.part, from.count, flags, put)) {
		feed_skip(kind);
		return true;
	}
	return feed_put(kind, fd, from.part, from.count, put);
}

/* Flags of recv and send in the words of the model; what has none makes the descriptors real. */
static unsigned int socket_flags(int fd, int flags)
{
	int known = MSG_DONTWAIT | MSG_PEEK | MSG_WAITALL | MSG_NOSIGNAL | MSG_CMSG_CLOEXEC |
		    MSG_EOR | MSG_MORE;

	if ((flags & ~known) && fds_modelled(fd))
		fd_release(sched_take_site(), "a call on a socket with unusual flags");
	return FDS_SOCKET | (flags & MSG_DONTWAIT ? FDS_NOWAIT : 0) |
	       (flags & MSG_PEEK ? FDS_PEEK : 0) | (flags & MSG_WAITALL ? FDS_ALL : 0) |
	       (flags & MSG_NOSIGNAL ? FD_NO_SIGNAL : 0);
}

/* ---- reading ---- */

RT_EXPORT ssize_t read(int fd, void *to, size_t n)
{
	struct iovec part = {to, n};
	ssize_t done;

	if (!rt_controlled())
		return fd_unseen_get(fd, to, n, &done) ? done : REAL(read)(fd, to, n);
	if (kernel_is_random(fd))
		return random_fill(to, n);
	if (get_known(RECORD_IN_READ, fd, (struct fd_parts){&part, 1}, 0, &done))
		return done;
	uint32_t site = before_read(fd, true);
	ssize_t got;

	undo_touch(to, n);
	got = REAL(read)(fd, to, n);
	after_read(site, fd, ONE(to, n), got, FILE_READ);
	return got;
}

RT_EXPORT ssize_t readv(int fd, const struct iovec *parts, int count)
{
	if (!rt_controlled())
		return REAL(readv)(fd, parts, count);
	ssize_t got;

	if (get_known(RECORD_IN_READV, fd, (struct fd_parts){parts, count}, 0, &got))
		return got;
	uint32_t site = before_read(fd, true);

	for (int i = 0; i < count; i++)
		undo_touch(parts[i].iov_base, parts[i].iov_len);
	got = REAL(readv)(fd, parts, count);
	after_read(site, fd, (struct fd_parts){parts, count}, got, FILE_READ);
	return got;
}

/* Reading at a place moves no offset and never blocks; only the filter must not see it. */
static ssize_t read_at(int fd, void *to, size_t n, off_t at)
{
	ssize_t known;

	if (feed_get(RECORD_IN_PREAD, fd, &(struct iovec){to, n}, 1, &known))
		return known;
	uint32_t site = wait_for(fd, POLLIN, false);
	long got;

	undo_touch(to, n);
	got = sys_call(SYS_pread64, fd, (long)to, (long)n, at, 0, 0);
	if (got < 0)
		errno = (int)-got;
	got = got < 0 ? -1 : got;
	after_read(site, fd, ONE(to, n), got, FILE_READ_AT);
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
	ssize_t got;

	if (get_known(RECORD_IN_RECV, fd, ONE(to, n), socket_flags(fd, flags), &got))
		return got;
	uint32_t site = before_read(fd, !(flags & MSG_DONTWAIT));

	got = REAL(recv)(fd, to, n, flags);
	after_read(site, fd, ONE(to, n), got, FILE_READ);
	return got;
}

RT_EXPORT ssize_t recvfrom(int fd, void *restrict to, size_t n, int flags,
			   struct sockaddr *restrict from, socklen_t *restrict from_bytes)
{
	if (!rt_controlled())
		return REAL(recvfrom)(fd, to, n, flags, from, from_bytes);
	ssize_t got;

	if (from && fds_modelled(fd))
		fd_release(sched_take_site(), "recvfrom with an address");
	if (get_known(RECORD_IN_RECVFROM, fd, ONE(to, n), socket_flags(fd, flags), &got))
		return got;
	uint32_t site = before_read(fd, !(flags & MSG_DONTWAIT));

	got = REAL(recvfrom)(fd, to, n, flags, from, from_bytes);
	after_read(site, fd, ONE(to, n), got, FILE_READ);
	return got;
}

RT_EXPORT ssize_t recvmsg(int fd, struct msghdr *message, int flags)
{
	if (!rt_controlled())
		return REAL(recvmsg)(fd, message, flags);
	ssize_t got;

	if (get_known(RECORD_IN_RECVMSG, fd,
		      (struct fd_parts){message->msg_iov, (int)message->msg_iovlen},
		      socket_flags(fd, flags), &got)) {
		undo_touch(message, sizeof(*message));
		message->msg_namelen = 0;
		message->msg_controllen = 0;
		message->msg_flags = 0;
		return got;
	}
	uint32_t site = before_read(fd, !(flags & MSG_DONTWAIT));

	got = REAL(recvmsg)(fd, message, flags);
	after_read(site, fd, (struct fd_parts){message->msg_iov, (int)message->msg_iovlen}, got,
		   FILE_READ);
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
	struct iovec part = {(void *)(uintptr_t)from, n};
	ssize_t done;

	if (!rt_controlled())
		return fd_unseen_put(fd, from, n, &done) ? done : REAL(write)(fd, from, n);
	if (put_known(RECORD_IN_WRITE, fd, (struct fd_parts){&part, 1}, 0, &done))
		return done;
	uint32_t site = before_write(fd, true);
	ssize_t put =
		writes_in_pieces(fd) ? write_in_pieces(fd, from, n) : REAL(write)(fd, from, n);

	after_write(site, fd, ONE(from, n), put, FILE_WRITE);
	return put;
}

RT_EXPORT ssize_t writev(int fd, const struct iovec *parts, int count)
{
	if (!rt_controlled())
		return REAL(writev)(fd, parts, count);
	ssize_t put;

	if (put_known(RECORD_IN_WRITE, fd, (struct fd_parts){parts, count}, 0, &put))
		return put;
	uint32_t site = before_write(fd, true);

	put = REAL(writev)(fd, parts, count);
	after_write(site, fd, (struct fd_parts){parts, count}, put, FILE_WRITE);
	return put;
}

RT_EXPORT ssize_t pwrite(int fd, const void *from, size_t n, off_t at)
{
	if (!rt_controlled())
		return REAL(pwrite)(fd, from, n, at);
	rt_irreversible("pwrite to descriptor %d", fd);
	uint32_t site = wait_for(fd, POLLOUT, false);
	ssize_t put = REAL(pwrite)(fd, from, n, at);

	after_write(site, fd, ONE(from, n), put, FILE_WRITE_AT);
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
	struct iovec part = {(void *)(uintptr_t)from, n};
	ssize_t put;

	if (put_known(RECORD_IN_SEND, fd, (struct fd_parts){&part, 1}, socket_flags(fd, flags), &put))
		return put;
	uint32_t site = before_write(fd, !(flags & MSG_DONTWAIT));
	/* Only a plain send may be cut into writes. */
	bool pieces = (flags & ~MSG_NOSIGNAL) == 0 && n > PIPE_BUF && writes_in_pieces(fd);

	put = pieces ? write_in_pieces(fd, from, n) : REAL(send)(fd, from, n, flags);
	after_write(site, fd, ONE(from, n), put, FILE_WRITE);
	return put;
}

RT_EXPORT ssize_t sendto(int fd, const void *from, size_t n, int flags, const struct sockaddr *to,
			 socklen_t to_bytes)
{
	if (!rt_controlled())
		return REAL(sendto)(fd, from, n, flags, to, to_bytes);
	if (!to)
		return send(fd, from, n, flags);
	if (fds_modelled(fd))
		fd_release(sched_take_site(), "sendto with an address");
	uint32_t site = before_write(fd, !(flags & MSG_DONTWAIT));
	ssize_t put = REAL(sendto)(fd, from, n, flags, to, to_bytes);

	after_write(site, fd, ONE(from, n), put, FILE_WRITE);
	return put;
}

RT_EXPORT ssize_t sendmsg(int fd, const struct msghdr *message, int flags)
{
	if (!rt_controlled())
		return REAL(sendmsg)(fd, message, flags);
	ssize_t put;

	if (fds_any() && (message->msg_controllen || message->msg_name))
		fd_release(sched_take_site(), "sendmsg with an address or with descriptors");
	if (put_known(RECORD_IN_SEND, fd,
		      (struct fd_parts){message->msg_iov, (int)message->msg_iovlen},
		      socket_flags(fd, flags), &put))
		return put;
	uint32_t site = before_write(fd, !(flags & MSG_DONTWAIT));

	put = REAL(sendmsg)(fd, message, flags);
	after_write(site, fd, (struct fd_parts){message->msg_iov, (int)message->msg_iovlen}, put,
		    FILE_WRITE);
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
	int made;

	if (feed_accept(fd, from, from_bytes, &made))
		return made;
	uint32_t site = wait_for(fd, POLLIN, true);

	made = REAL(accept4)(fd, from, from_bytes, flags);

	io_done(site, fd, made, IO_ACCEPT);
	file_outside(fd, "accept", site);
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
	/* With a log nobody is there, and what he would say is known. */
	int result = feed_on() ? 0 : REAL(connect)(fd, to, to_bytes);

	if (feed_on())
		feed_mark(fd);

	io_done(site, fd, result, IO_CONNECT);
	file_outside(fd, "connect", site);
	return result;
}
