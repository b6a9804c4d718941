/* Waiting for several descriptors: poll, select, epoll, in virtual time. */
#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <sys/syscall.h>

#include "guest/check/hook/system/fd.h"
#include "guest/check/hook/system/feed.h"
#include "guest/check/hook/system/io.h"
#include "guest/check/hook/memory/user.h"
#include "guest/check/mem/undo.h"
#include "guest/os/real.h"
#include "guest/os/sys.h"

#define NS_PER_MS 1000000
#define MAX_SELECT 128 /* descriptors in one question about the model's */

/* A system call's negative result as the C library reports it. */
static int c_result(long result)
{
	if (result >= 0)
		return (int)result;
	errno = (int)-result;
	return -1;
}

static int64_t timeout_ns(const struct timespec *timeout)
{
	return timeout ? (int64_t)call_interval(timeout) : -1;
}

/* ---- poll ---- */

struct poll_set {
	struct pollfd *fds;
	nfds_t count;
};

static long poll_now(const struct poll_set *s)
{
	return sys_call(SYS_poll, (long)s->fds, (long)s->count, 0, 0, 0, 0);
}

static bool poll_ready(struct rt_thread *t, const struct rt_op *op)
{
	return poll_now(op->data) != 0;
}

static int poll_for(struct pollfd *fds, nfds_t count, int64_t timeout)
{
	int result;

	if (fd_poll(fds, count, timeout, &result)) {
		feed_skip(RECORD_IN_POLL);
		return result;
	}
	if (feed_poll(fds, count, &result))
		return result;
	struct rt_op op = call_op(EVENT_IO, NULL, poll_ready);
	struct poll_set set = {fds, count};

	undo_touch(fds, count * sizeof(*fds));
	op.data = &set;
	io_step(&op, timeout);
	result = c_result(poll_now(&set));
	io_done(op.site, 0, result, IO_POLL);
	return result;
}

RT_EXPORT int poll(struct pollfd *fds, nfds_t count, int timeout)
{
	return rt_controlled() ? poll_for(fds, count, (int64_t)timeout * NS_PER_MS)
			       : REAL(poll)(fds, count, timeout);
}

RT_EXPORT int ppoll(struct pollfd *fds, nfds_t count, const struct timespec *timeout,
		    const sigset_t *mask)
{
	return rt_controlled() ? poll_for(fds, count, timeout_ns(timeout))
			       : REAL(ppoll)(fds, count, timeout, mask);
}

/* ---- select ---- */

struct select_set {
	int count;
	fd_set *sets[3]; /* the program's: to read, to write, exceptional; each may be NULL */
};

/* Asks with copies in `now', because the kernel writes its answer over the question. */
static long select_now(const struct select_set *s, fd_set now[3])
{
	struct timeval zero = {0, 0};
	long at[3];

	for (int i = 0; i < 3; i++) {
		if (s->sets[i])
			memcpy(&now[i], s->sets[i], sizeof(now[i]));
		at[i] = s->sets[i] ? (long)&now[i] : 0;
	}
	return sys_call(SYS_select, s->count, at[0], at[1], at[2], (long)&zero, 0);
}

static bool select_ready(struct rt_thread *t, const struct rt_op *op)
{
	fd_set now[3];

	return select_now(op->data, now) != 0;
}

/* The same question for poll; returns how many descriptors it has, or -1 when they are too many. */
static int as_poll(const struct select_set *s, struct pollfd *fds)
{
	static const short events[3] = {POLLIN, POLLOUT, POLLPRI};
	int n = 0;

	for (int fd = 0; fd < s->count; fd++) {
		struct pollfd p = {.fd = fd};

		for (int i = 0; i < 3; i++)
			if (s->sets[i] && FD_ISSET(fd, s->sets[i]))
				p.events |= events[i];
		if (p.events && n == MAX_SELECT)
			return -1;
		if (p.events)
			fds[n++] = p;
	}
	return n;
}

static int select_answer(const struct select_set *s, const struct pollfd *fds, int n)
{
	static const short means[3] = {POLLIN | POLLHUP | POLLERR, POLLOUT | POLLERR, POLLPRI};
	fd_set now[3];
	int hits = 0;

	memset(now, 0, sizeof(now));
	for (int k = 0; k < n; k++) {
		for (int i = 0; i < 3; i++) {
			if (!s->sets[i] || !FD_ISSET(fds[k].fd, s->sets[i]) ||
			    !(fds[k].revents & means[i]))
				continue;
			FD_SET(fds[k].fd, &now[i]);
			hits++;
		}
	}
	for (int i = 0; i < 3; i++)
		if (s->sets[i])
			user_write(s->sets[i], &now[i], sizeof(now[i]), rt_self()->last_site);
	return hits;
}

/* Descriptors of the model among them: the same as poll. */
static bool select_modelled(const struct select_set *s, int64_t timeout, int *result)
{
	struct pollfd fds[MAX_SELECT];
	int n = as_poll(s, fds);

	if (n < 0 || !fd_poll(fds, (nfds_t)n, timeout, result))
		return false;
	for (int i = 0; i < n; i++) {
		if (fds[i].revents & POLLNVAL) {
			*result = c_result(-EBADF);
			return true;
		}
	}
	*result = select_answer(s, fds, n);
	return true;
}

static int select_for(struct select_set *s, int64_t timeout)
{
	int result;

	if (s->count < 0 || s->count > FD_SETSIZE)
		return c_result(-EINVAL);
	if (select_modelled(s, timeout, &result)) {
		feed_skip(RECORD_IN_SELECT);
		return result;
	}
	if (feed_select(s->sets, &result))
		return result;
	struct rt_op op = call_op(EVENT_IO, NULL, select_ready);
	fd_set now[3];

	op.data = s;
	io_step(&op, timeout);
	result = c_result(select_now(s, now));
	for (int i = 0; i < 3 && result >= 0; i++) {
		if (!s->sets[i])
			continue;
		undo_touch(s->sets[i], sizeof(now[i]));
		memcpy(s->sets[i], &now[i], sizeof(now[i]));
	}
	io_done(op.site, 0, result, IO_POLL);
	return result;
}

RT_EXPORT int select(int count, fd_set *restrict in, fd_set *restrict out,
		     fd_set *restrict exceptional, struct timeval *restrict timeout)
{
	if (!rt_controlled())
		return REAL(select)(count, in, out, exceptional, timeout);
	struct select_set s = {count, {in, out, exceptional}};
	struct timespec limit;

	if (!timeout)
		return select_for(&s, -1);
	limit = (struct timespec){timeout->tv_sec, timeout->tv_usec * 1000};
	return select_for(&s, timeout_ns(&limit));
}

RT_EXPORT int pselect(int count, fd_set *restrict in, fd_set *restrict out,
		      fd_set *restrict exceptional, const struct timespec *restrict timeout,
		      const sigset_t *restrict mask)
{
	if (!rt_controlled())
		return REAL(pselect)(count, in, out, exceptional, timeout, mask);
	struct select_set s = {count, {in, out, exceptional}};

	return select_for(&s, timeout_ns(timeout));
}

/* ---- epoll ---- */

static bool epoll_ready(struct rt_thread *t, const struct rt_op *op)
{
	struct pollfd p = {(int)op->addr, POLLIN, 0};

	return sys_call(SYS_poll, (long)&p, 1, 0, 0, 0, 0) != 0;
}

static int epoll_for(int fd, struct epoll_event *events, int max, int64_t timeout)
{
	int result;

	if (fd_epoll_wait(fd, events, max, timeout, &result)) {
		feed_skip(RECORD_IN_EPOLL_WAIT);
		return result;
	}
	if (feed_epoll(events, max, &result))
		return result;
	struct rt_op op = call_op(EVENT_IO, NULL, epoll_ready);

	op.addr = (uint64_t)fd;
	io_step(&op, timeout);
	result = REAL(epoll_wait)(fd, events, max, 0);
	io_done(op.site, fd, result, IO_POLL);
	return result;
}

RT_EXPORT int epoll_wait(int fd, struct epoll_event *events, int max, int timeout)
{
	return rt_controlled() ? epoll_for(fd, events, max, (int64_t)timeout * NS_PER_MS)
			       : REAL(epoll_wait)(fd, events, max, timeout);
}

RT_EXPORT int epoll_pwait2(int fd, struct epoll_event *events, int max,
			   const struct timespec *timeout, const sigset_t *mask)
{
	return rt_controlled() ? epoll_for(fd, events, max, timeout_ns(timeout))
			       : REAL(epoll_pwait2)(fd, events, max, timeout, mask);
}

RT_EXPORT int epoll_pwait(int fd, struct epoll_event *events, int max, int timeout,
			  const sigset_t *mask)
{
	return rt_controlled() ? epoll_wait(fd, events, max, timeout)
			       : REAL(epoll_pwait)(fd, events, max, timeout, mask);
}
