#include "guest/check/hook/system/fd.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>

#include "guest/check/engine/files.h"
#include "guest/check/hook/call.h"
#include "guest/check/hook/system/fd_release.h"
#include "guest/check/hook/system/signals.h"
#include "guest/check/hook/system/file.h"
#include "guest/check/hook/memory/user.h"
#include "guest/check/mem/undo.h"
#include "guest/os/sys.h"

#define BOUNCE FDS_PIPE_BUF /* what is written in one piece is read from the program in one, too   \
			     */

/* A result of the model as the C library reports it. */
static int64_t c_result(int64_t result)
{
	if (result >= 0)
		return result;
	errno = (int)-result;
	return -1;
}

/* Whether the answer is one for the program; otherwise the kernel is asked. */
static bool is_answer(const struct fds_answer *a, uint32_t site)
{
	if (a->result == FDS_FULL)
		fd_release(site, "more descriptors or contents than are modelled");
	return a->result != FDS_FULL && a->result != FDS_OUTSIDE;
}

/* One call without payload and without a wait. */
static bool simple(struct fds_call call, struct fds_answer *a)
{
	struct fds_request r = {.call = call};
	uint32_t site;

	if (!fds_covers(call.fd))
		return false;
	site = sched_take_site();
	fds_step(&r, site, -1, a);
	return is_answer(a, site);
}

/* ---- numbers in the kernel ---- */

static void hold_number(int number)
{
	int fd = (int)sys_call(SYS_open, (long)"/", O_PATH | O_CLOEXEC, 0, 0, 0, 0);

	if (fd != number) {
		sys_call(SYS_dup3, fd, number, O_CLOEXEC, 0, 0, 0);
		sys_close(fd);
	}
	files_adopt(number);
}

static bool make(struct fds_call call, struct fds_answer *a)
{
	struct fds_request r = {.call = call};
	uint32_t site;

	r.call.fd = -1;
	if (!fds_open_to_more())
		return false;
	site = sched_take_site();
	file_number_modelled(site);
	fds_step(&r, site, -1, a);
	return is_answer(a, site);
}

bool fd_make_two(struct fds_call call, int fds[2])
{
	struct fds_answer a;

	if (!make(call, &a))
		return false;
	hold_number(a.numbers[0]);
	hold_number(a.numbers[1]);
	user_write(fds, a.numbers, sizeof(a.numbers), rt_self()->last_site);
	return true;
}

bool fd_make_one(struct fds_call call, int *result)
{
	struct fds_answer a;

	if (!make(call, &a))
		return false;
	*result = (int)a.result;
	hold_number(*result);
	return true;
}

bool fd_close(int fd, int *result)
{
	struct fds_request r = {.call = {.op = FDS_DO_CLOSE, .fd = fd}};
	bool modelled = fds_modelled(fd);
	struct fds_answer a;

	if (!fds_knows(fd))
		return false;
	fds_step(&r, sched_take_site(), -1, &a);
	*result = (int)c_result(a.result);
	if (modelled && a.result == 0)
		files_drop(fd);
	return modelled || a.result < 0;
}

bool fd_dup(int fd, struct fds_call call, int *result)
{
	struct fds_answer a;

	call.fd = fd;
	if (call.op == FDS_DO_DUP2 && (uint32_t)call.to >= FDS_NUMBERS)
		return false;
	if (call.op == FDS_DO_DUP2 && fds_modelled(fd) && !fds_covers(call.to))
		rt_irreversible("dup2 over descriptor %d", call.to);
	if (!simple(call, &a))
		return false;
	*result = (int)c_result(a.result);
	if (a.result >= 0)
		hold_number(*result);
	return true;
}

/* ---- reading ---- */

static size_t bytes_of(struct fd_parts p)
{
	size_t n = 0;

	for (int i = 0; i < p.count; i++)
		n += p.part[i].iov_len;
	return n;
}

bool fd_get(int fd, struct fd_parts to, unsigned int flags, ssize_t *result)
{
	struct fds_request r = {.call = {.op = FDS_DO_GET, .fd = fd, .flags = (uint16_t)flags}};
	uint32_t site;
	struct fds_answer a;

	if (!fds_covers(fd))
		return false;
	site = sched_take_site();
	r.call.value = bytes_of(to);
	fds_step(&r, site, -1, &a);
	if (!is_answer(&a, site))
		return false;
	*result = c_result(a.result);
	user_scatter(to.part, to.count, a.bytes, a.n, site);
	return true;
}

/* ---- writing ---- */

static void broken_pipe(uint32_t site)
{
	if (signals_action(SIGPIPE) == SIGNAL_FATAL)
		rt_fail(FAILURE_SIGNAL, site, 0, SIGPIPE,
			"SIGPIPE: nobody can read what is written");
	if (signals_action(SIGPIPE) != SIGNAL_IGNORED)
		signals_send(rt_self(), SIGPIPE, 0, site);
}

/* One after the other, until all is written, or no more can be. */
static ssize_t put_all(struct fds_request *r, uint32_t site, bool signals, bool *outside)
{
	ssize_t written = 0;
	struct fds_answer a;

	for (;;) {
		fds_step(r, site, -1, &a);
		*outside = !is_answer(&a, site);
		if (*outside)
			return written;
		if (a.result == -EPIPE && signals)
			broken_pipe(site);
		if (a.result < 0)
			return written ? written : c_result(a.result);
		written += a.result;
		r->payload += a.result;
		r->call.n -= (uint32_t)a.result;
		if (r->call.n == 0 || fds_is_nonblocking(r->call.fd) ||
		    (r->call.flags & FDS_NOWAIT) || a.result == 0)
			return written;
	}
}

static void gather(struct fd_parts from, unsigned char *to, uint32_t site)
{
	for (int i = 0; i < from.count; i++) {
		user_read(to, from.part[i].iov_base, from.part[i].iov_len, site);
		to += from.part[i].iov_len;
	}
}

static bool put_one(int fd, struct fd_parts from, unsigned int flags, ssize_t *result)
{
	struct fds_request r = {.call = {.op = FDS_DO_PUT, .fd = fd, .flags = (uint16_t)flags}};
	bool signals = !(flags & FD_NO_SIGNAL), outside;
	unsigned char bounce[BOUNCE];
	uint32_t site = sched_take_site();

	r.call.flags &= (uint16_t)~FD_NO_SIGNAL;
	r.call.n = (uint32_t)bytes_of(from);
	r.payload = from.count ? from.part[0].iov_base : NULL;
	if (r.call.n <= sizeof(bounce)) {
		gather(from, bounce, site);
		r.payload = bounce;
	}
	*result = put_all(&r, site, signals, &outside);
	return !outside;
}

bool fd_put(int fd, struct fd_parts from, unsigned int flags, ssize_t *result)
{
	size_t total = bytes_of(from);
	ssize_t all = 0;

	if (!fds_covers(fd))
		return false;
	if (total > FDS_CONTENT / 2 && from.count == 1)
		total = 0; /* as long as it is one piece */
	if (total <= BOUNCE || from.count == 1)
		return put_one(fd, from, flags, result);
	for (int i = 0; i < from.count; i++) {
		struct fd_parts one = {&from.part[i], 1};

		if (!put_one(fd, one, flags, result))
			return false;
		if (*result < 0)
			break;
		all += *result;
		if ((size_t)*result < from.part[i].iov_len)
			break;
	}
	*result = all ? all : *result;
	return true;
}

/* ---- properties ---- */

static int status_flags(int64_t model)
{
	return (model & FDS_NONBLOCK ? O_NONBLOCK : 0) | (model & 2 ? O_WRONLY : 0) |
	       (model & 4 ? O_RDWR : 0);
}

bool fd_property(struct fds_call call, int *result)
{
	struct fds_answer a;

	if (!simple(call, &a))
		return false;
	if (call.op == FDS_DO_GETFL && a.result > 0)
		a.result = status_flags(a.result);
	*result = (int)c_result(a.result);
	return true;
}

bool fd_control(int fd, int command, void *arg, int *result)
{
	struct fds_call call = {.fd = fd};

	switch (command) {
	case F_GETFL:
		call.op = FDS_DO_GETFL;
		break;
	case F_SETFL:
		call.op = FDS_DO_SETFL;
		call.flags = (uintptr_t)arg & O_NONBLOCK ? FDS_NONBLOCK : 0;
		break;
	case F_GETFD:
		call.op = FDS_DO_GETFD;
		break;
	case F_SETFD:
		call.op = FDS_DO_SETFD;
		call.value = (uintptr_t)arg & FD_CLOEXEC;
		break;
	case F_DUPFD:
	case F_DUPFD_CLOEXEC:
		call.op = FDS_DO_DUP;
		call.value = (uintptr_t)arg;
		call.flags = command == F_DUPFD_CLOEXEC ? FDS_CLOEXEC : 0;
		return fd_dup(fd, call, result);
	default:
		if (fds_modelled(fd))
			fd_release(sched_take_site(), "an unusual fcntl");
		return false;
	}
	return fd_property(call, result);
}

bool fd_shutdown(int fd, int how, int *result)
{
	struct fds_answer a;

	if (!simple((struct fds_call){.op = FDS_DO_SHUTDOWN,
				      .fd = fd,
				      .flags = FDS_SOCKET,
				      .value = how == SHUT_RD	? FDS_SHUT_IN
					       : how == SHUT_WR ? FDS_SHUT_OUT
								: FDS_SHUT_IN | FDS_SHUT_OUT},
		    &a))
		return false;
	*result = (int)c_result(a.result);
	return true;
}

bool fd_look(int fd, int *result)
{
	struct fds_answer a;

	if (!fds_modelled(fd) || !simple((struct fds_call){.op = FDS_DO_LOOK, .fd = fd}, &a))
		return false;
	*result = (int)c_result(a.result);
	return true;
}

/* ---- handlers ---- */

static bool unseen(int fd)
{
	if (!rt_self() || !fds_modelled(fd))
		return false;
	rt_unseen(rt_self()->last_site,
		  "a signal handler, or other code outside control, uses descriptor %d", fd);
	return true;
}

bool fd_unseen_get(int fd, void *to, size_t n, ssize_t *result)
{
	struct fds_request r = {
		.call = {.op = FDS_DO_GET, .fd = fd, .value = n, .flags = FDS_NOWAIT}};
	struct fds_answer a;

	if (!unseen(fd))
		return false;
	fds_at_once(&r, &a);
	undo_touch(to, a.n);
	memcpy(to, a.bytes, a.n);
	*result = c_result(a.result);
	return true;
}

bool fd_unseen_put(int fd, const void *from, size_t n, ssize_t *result)
{
	struct fds_request r = {
		.call = {.op = FDS_DO_PUT, .fd = fd, .n = (uint32_t)n, .flags = FDS_NOWAIT},
		.payload = from};
	struct fds_answer a;

	if (!unseen(fd) || n > FDS_PIPE_ROOM)
		return false;
	fds_at_once(&r, &a);
	*result = c_result(a.result);
	return true;
}
