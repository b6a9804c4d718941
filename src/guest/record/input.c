/*
 * What comes from outside, as the program's own calls get it.  Calls inside of libraries to each
 * other do not pass here; calls by libraries that are not instrumented do, and say so.
 */
#include "guest/record/record.h"

#include <fcntl.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/random.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#include "guest/os/real.h"

#define LARGEST (64u << 20) /* of one input */

static inline bool wanted(void)
{
	return rec_ctl && rec_self.row && (rec_ctl->flags & RECORD_INPUTS);
}

void rec_input_note(const struct rec_answer *a)
{
	static const uint64_t padding;
	int saved = errno;
	struct record_input in = {.result = a->result, .detail = a->detail, .kind = a->kind};
	uint64_t bytes = a->bytes;

	if (!wanted())
		return;
	if (bytes > LARGEST) {
		bytes = LARGEST;
		in.flags |= RECORD_INPUT_CUT;
	}
	if (!rec_target_instrumented(a->caller))
		in.flags |= RECORD_INPUT_FOREIGN;
	in.data = (uint32_t)bytes;
	in.bytes = (uint32_t)((sizeof(in) + bytes + 7) & ~UINT64_C(7));
	in.bits = rec_stream_bits(&rec_self);
	in.error = a->failed ? saved : 0;
	if (rec_stream_add(&rec_self, RECORD_STREAM_INPUTS, &in, sizeof(in)) &&
	    rec_secret_write(a->data, in.data))
		rec_stream_add(&rec_self, RECORD_STREAM_INPUTS, &padding,
			       in.bytes - (uint32_t)sizeof(in) - in.data);
	errno = saved;
}

#define POSITIVE(n) ((n) > 0 ? (uint64_t)(n) : 0)

static void note_result(uint16_t kind, int64_t result, uint64_t detail, const void *caller)
{
	struct rec_answer a = {kind, result, detail, NULL, 0, caller, result < 0};

	rec_input_note(&a);
}

static void note_bytes(uint16_t kind, int64_t result, uint64_t detail, const void *data,
		       uint64_t bytes, const void *caller)
{
	struct rec_answer a = {kind, result, detail, data, bytes, caller, result < 0};

	rec_input_note(&a);
}

/* ---- descriptors ---- */

RECORD_EXPORT ssize_t read(int fd, void *to, size_t n)
{
	ssize_t got = REAL(read)(fd, to, n);

	note_bytes(RECORD_IN_READ, got, (uint64_t)fd, to, POSITIVE(got), REC_CALLER);
	return got;
}

RECORD_EXPORT ssize_t __read_chk(int fd, void *to, size_t n, size_t room);
RECORD_EXPORT ssize_t __read_chk(int fd, void *to, size_t n, size_t room)
{
	ssize_t got = n <= room ? REAL(read)(fd, to, n) : REAL(__read_chk)(fd, to, n, room);

	note_bytes(RECORD_IN_READ, got, (uint64_t)fd, to, POSITIVE(got), REC_CALLER);
	return got;
}

RECORD_EXPORT ssize_t pread(int fd, void *to, size_t n, off_t at)
{
	ssize_t got = REAL(pread)(fd, to, n, at);

	note_bytes(RECORD_IN_PREAD, got, (uint64_t)fd, to, POSITIVE(got), REC_CALLER);
	return got;
}

RECORD_EXPORT ssize_t pread64(int fd, void *to, size_t n, off64_t at)
{
	ssize_t got = REAL(pread)(fd, to, n, at);

	note_bytes(RECORD_IN_PREAD, got, (uint64_t)fd, to, POSITIVE(got), REC_CALLER);
	return got;
}

/* What was scattered is one input per piece; the first has the result. */
static void note_pieces(uint16_t kind, ssize_t got, uint64_t detail, const struct iovec *pieces,
			size_t count, const void *caller)
{
	uint64_t left = POSITIVE(got);

	if (!count || !left)
		note_result(kind, got, detail, caller);
	for (size_t i = 0; i < count && left; i++) {
		uint64_t n = pieces[i].iov_len < left ? pieces[i].iov_len : left;

		note_bytes(kind, i ? (int64_t)n : got, detail, pieces[i].iov_base, n, caller);
		left -= n;
	}
}

RECORD_EXPORT ssize_t readv(int fd, const struct iovec *pieces, int count)
{
	ssize_t got = REAL(readv)(fd, pieces, count);

	note_pieces(RECORD_IN_READV, got, (uint64_t)fd, pieces, count > 0 ? (size_t)count : 0,
		    REC_CALLER);
	return got;
}

RECORD_EXPORT ssize_t recv(int fd, void *to, size_t n, int flags)
{
	ssize_t got = REAL(recv)(fd, to, n, flags);

	note_bytes(RECORD_IN_RECV, got, (uint64_t)fd, to,
		   POSITIVE(got) < n ? POSITIVE(got)
		   : got > 0	     ? n
				     : 0,
		   REC_CALLER);
	return got;
}

RECORD_EXPORT ssize_t recvfrom(int fd, void *to, size_t n, int flags, struct sockaddr *from,
			       socklen_t *bytes)
{
	ssize_t got = REAL(recvfrom)(fd, to, n, flags, from, bytes);

	note_bytes(RECORD_IN_RECVFROM, got, (uint64_t)fd, to,
		   POSITIVE(got) < n ? POSITIVE(got)
		   : got > 0	     ? n
				     : 0,
		   REC_CALLER);
	return got;
}

RECORD_EXPORT ssize_t recvmsg(int fd, struct msghdr *m, int flags)
{
	ssize_t got = REAL(recvmsg)(fd, m, flags);

	note_pieces(RECORD_IN_RECVMSG, got, (uint64_t)fd, m->msg_iov, m->msg_iovlen, REC_CALLER);
	return got;
}

static void note_address(int64_t result, int fd, const struct sockaddr *from,
			 const socklen_t *bytes, const void *caller)
{
	note_bytes(RECORD_IN_ACCEPT, result, (uint64_t)fd, from,
		   from && bytes && result >= 0 ? *bytes : 0, caller);
}

RECORD_EXPORT int accept(int fd, struct sockaddr *from, socklen_t *bytes)
{
	int got = REAL(accept)(fd, from, bytes);

	note_address(got, fd, from, bytes, REC_CALLER);
	return got;
}

RECORD_EXPORT int accept4(int fd, struct sockaddr *from, socklen_t *bytes, int flags)
{
	int got = REAL(accept4)(fd, from, bytes, flags);

	note_address(got, fd, from, bytes, REC_CALLER);
	return got;
}

static mode_t mode_of(int flags, va_list args)
{
	return flags & (O_CREAT | __O_TMPFILE) ? va_arg(args, mode_t) : 0;
}

static int note_open(int fd, const char *path, int flags, const void *caller)
{
	rec_input_opened(&(struct rec_answer){.kind = RECORD_IN_OPEN,
					      .result = fd,
					      .detail = (uint64_t)flags,
					      .caller = caller},
			 path);
	return fd;
}

#define OPENS(name, parameters, opened)                                                            \
	RECORD_EXPORT int name parameters                                                          \
	{                                                                                          \
		va_list args;                                                                      \
		mode_t mode;                                                                       \
                                                                                                   \
		va_start(args, flags);                                                             \
		mode = mode_of(flags, args);                                                       \
		va_end(args);                                                                      \
		return note_open(opened, path, flags, REC_CALLER);                                 \
	}
OPENS(open, (const char *path, int flags, ...), REAL(open)(path, flags, mode))
OPENS(open64, (const char *path, int flags, ...), REAL(open)(path, flags | O_LARGEFILE, mode))
OPENS(openat, (int dir, const char *path, int flags, ...), REAL(openat)(dir, path, flags, mode))

/* Calls whose result is all there is: kind, and a number that tells what they were about. */
#define RESULT(type, name, kind, detail, parameters, arguments)                                    \
	RECORD_EXPORT type name parameters                                                         \
	{                                                                                          \
		type got = REAL(name) arguments;                                                   \
		note_result(kind, (int64_t)got, (uint64_t)(detail), REC_CALLER);                   \
		return got;                                                                        \
	}
RESULT(int, creat, RECORD_IN_OPEN, mode, (const char *path, mode_t mode), (path, mode))
RESULT(int, close, RECORD_IN_CLOSE, fd, (int fd), (fd))
RESULT(int, socket, RECORD_IN_SOCKET, family, (int family, int type, int protocol),
       (family, type, protocol))
RESULT(int, bind, RECORD_IN_SOCKET, fd, (int fd, const struct sockaddr *to, socklen_t n),
       (fd, to, n))
RESULT(int, listen, RECORD_IN_SOCKET, fd, (int fd, int n), (fd, n))
RESULT(int, connect, RECORD_IN_SOCKET, fd, (int fd, const struct sockaddr *to, socklen_t n),
       (fd, to, n))
RESULT(int, shutdown, RECORD_IN_SOCKET, fd, (int fd, int how), (fd, how))
RESULT(int, setsockopt, RECORD_IN_SOCKET, fd,
       (int fd, int level, int name, const void *value, socklen_t n), (fd, level, name, value, n))
RESULT(ssize_t, write, RECORD_IN_WRITE, fd, (int fd, const void *from, size_t n), (fd, from, n))
RESULT(ssize_t, send, RECORD_IN_SEND, fd, (int fd, const void *from, size_t n, int flags),
       (fd, from, n, flags))
RESULT(ssize_t, sendto, RECORD_IN_SEND, fd,
       (int fd, const void *from, size_t n, int flags, const struct sockaddr *to, socklen_t bytes),
       (fd, from, n, flags, to, bytes))
RESULT(off_t, lseek, RECORD_IN_LSEEK, fd, (int fd, off_t at, int whence), (fd, at, whence))
RESULT(int, access, RECORD_IN_STAT, how, (const char *path, int how), (path, how))
RESULT(int, rand, RECORD_IN_RAND, 0, (void), ())
RESULT(long, random, RECORD_IN_RANDOM, 0, (void), ())
RESULT(pid_t, getpid, RECORD_IN_GETPID, 0, (void), ())
RESULT(pid_t, getppid, RECORD_IN_GETPID, 1, (void), ())
RESULT(long, sysconf, RECORD_IN_GETPID, name, (int name), (name))

RECORD_EXPORT int poll(struct pollfd *fds, nfds_t n, int timeout)
{
	int got = REAL(poll)(fds, n, timeout);

	note_bytes(RECORD_IN_POLL, got, n, fds, got >= 0 ? n * sizeof(*fds) : 0, REC_CALLER);
	return got;
}

RECORD_EXPORT int select(int n, fd_set *in, fd_set *out, fd_set *other, struct timeval *timeout)
{
	int got = REAL(select)(n, in, out, other, timeout);
	fd_set all[3];

	memset(all, 0, sizeof(all));
	if (in)
		all[0] = *in;
	if (out)
		all[1] = *out;
	if (other)
		all[2] = *other;
	note_bytes(RECORD_IN_SELECT, got, (uint64_t)n, all, got >= 0 ? sizeof(all) : 0, REC_CALLER);
	return got;
}

RECORD_EXPORT int epoll_ctl(int fd, int operation, int on, struct epoll_event *event)
{
	uint64_t data = event && operation != EPOLL_CTL_DEL ? event->data.u64 : 0;
	int got = REAL(epoll_ctl)(fd, operation, on, event);

	note_bytes(RECORD_IN_EPOLL_CTL, got, (uint32_t)on, &data,
		   operation != EPOLL_CTL_DEL ? sizeof(data) : 0, REC_CALLER);
	return got;
}

RECORD_EXPORT int epoll_wait(int fd, struct epoll_event *events, int n, int timeout)
{
	int got = REAL(epoll_wait)(fd, events, n, timeout);

	note_bytes(RECORD_IN_EPOLL_WAIT, got, (uint64_t)fd, events, POSITIVE(got) * sizeof(*events),
		   REC_CALLER);
	return got;
}

static void note_stat(int got, const struct stat *st, uint64_t detail, const void *caller)
{
	note_bytes(RECORD_IN_STAT, got, detail, st, got ? 0 : sizeof(*st), caller);
}

RECORD_EXPORT int stat(const char *path, struct stat *st)
{
	int got = REAL(stat)(path, st);

	note_stat(got, st, 0, REC_CALLER);
	return got;
}

RECORD_EXPORT int lstat(const char *path, struct stat *st)
{
	int got = REAL(lstat)(path, st);

	note_stat(got, st, 0, REC_CALLER);
	return got;
}

RECORD_EXPORT int fstat(int fd, struct stat *st)
{
	int got = REAL(fstat)(fd, st);

	note_stat(got, st, (uint64_t)fd, REC_CALLER);
	return got;
}

/* ---- time and chance ---- */

RECORD_EXPORT time_t time(time_t *to)
{
	time_t got = REAL(time)(to);

	note_result(RECORD_IN_TIME, got, 0, REC_CALLER);
	return got;
}

RECORD_EXPORT int clock_gettime(clockid_t clock, struct timespec *to)
{
	int got = REAL(clock_gettime)(clock, to);

	note_bytes(RECORD_IN_CLOCK_GETTIME, got, (uint64_t)clock, to, got ? 0 : sizeof(*to),
		   REC_CALLER);
	return got;
}

RECORD_EXPORT int gettimeofday(struct timeval *to, void *zone)
{
	int got = REAL(gettimeofday)(to, zone);
	const void *data = to;

	/* Declared never to be NULL, it is in some programs. */
	__asm__("" : "+r"(data));
	note_bytes(RECORD_IN_GETTIMEOFDAY, got, 0, data, got || !data ? 0 : sizeof(*to),
		   REC_CALLER);
	return got;
}

RECORD_EXPORT ssize_t getrandom(void *to, size_t n, unsigned flags)
{
	ssize_t got = REAL(getrandom)(to, n, flags);

	note_bytes(RECORD_IN_GETRANDOM, got, flags, to, POSITIVE(got), REC_CALLER);
	return got;
}
