/* Wrappers of calls that wait for several descriptors. */
#include <errno.h>
#include <poll.h>
#include <sys/epoll.h>
#include <sys/select.h>

#include "guest/stable/world/around.h"
#include "guest/stable/world/channel.h"
#include "guest/stable/hook/hook.h"
#include "guest/stable/hook/outside.h"
#include "guest/stable/real.h"

#define SELECT_MAX 64 /* descriptors of channels in one call of select */

static bool is_zero(const struct timespec *t)
{
	return t && t->tv_sec == 0 && t->tv_nsec == 0;
}

/* NULL: for ever. */
static const struct timespec *of_milliseconds(int timeout, struct timespec *to)
{
	*to = (struct timespec){timeout / 1000, (long)(timeout % 1000) * 1000000};
	return timeout < 0 ? NULL : to;
}

/* ---- select, as poll ---- */

struct selected {
	struct pollfd p[SELECT_MAX];
	nfds_t n;
};

static bool wants(fd_set *set, int fd)
{
	return set && FD_ISSET(fd, set);
}

/* False when there are too many for one call. */
static bool gather(struct selected *s, int n, fd_set *r, fd_set *w, fd_set *x)
{
	s->n = 0;
	for (int fd = 0; fd < n; fd++) {
		short events = (short)((wants(r, fd) ? POLLIN : 0) | (wants(w, fd) ? POLLOUT : 0) |
				       (wants(x, fd) ? POLLPRI : 0));
		if (!events)
			continue;
		if (s->n == SELECT_MAX)
			return false;
		s->p[s->n++] = (struct pollfd){.fd = fd, .events = events};
	}
	return s->n != 0;
}

static int keep(fd_set *set, const struct pollfd *p, short asked, short seen)
{
	if (!set || !(p->events & asked))
		return 0;
	if (p->revents & seen)
		return 1;
	FD_CLR(p->fd, set);
	return 0;
}

/* What select would answer. */
static int scatter(const struct selected *s, fd_set *r, fd_set *w, fd_set *x)
{
	int ready = 0;
	for (nfds_t i = 0; i < s->n; i++) {
		const struct pollfd *p = &s->p[i];
		ready += keep(r, p, POLLIN, POLLIN | POLLHUP | POLLERR);
		ready += keep(w, p, POLLOUT, POLLOUT | POLLERR);
		ready += keep(x, p, POLLPRI, POLLPRI);
	}
	return ready;
}

static bool select_channels(int n, fd_set *const sets[3], const struct timespec *limit,
			    uintptr_t caller, int *result)
{
	struct selected s;
	if (!gather(&s, n, sets[0], sets[1], sets[2]) ||
	    !channel_poll(s.p, s.n, limit, caller, result))
		return false;
	if (*result >= 0)
		*result = scatter(&s, sets[0], sets[1], sets[2]);
	return true;
}

HOOK_EXPORT int select(int n, fd_set *r, fd_set *w, fd_set *x, struct timeval *t)
{
	fd_set *const sets[] = {r, w, x};
	struct timespec limit;
	int result;
	real_ready();
	if (t)
		limit = (struct timespec){t->tv_sec, t->tv_usec * 1000};
	if (select_channels(n, sets, t ? &limit : NULL, HOOK_CALLER, &result))
		return result;
	if (!t || !is_zero(&limit))
		outside_leave();
	result = real.select(n, r, w, x, t);
	outside_return();
	return result;
}

HOOK_EXPORT int pselect(int n, fd_set *r, fd_set *w, fd_set *x, const struct timespec *t,
			const sigset_t *mask)
{
	fd_set *const sets[] = {r, w, x};
	int result;
	real_ready();
	if (!mask && select_channels(n, sets, t, HOOK_CALLER, &result))
		return result;
	if (!is_zero(t))
		outside_leave();
	result = real.pselect(n, r, w, x, t, mask);
	outside_return();
	return result;
}

/* ---- epoll, poll ---- */

HOOK_EXPORT int epoll_wait(int set, struct epoll_event *e, int n, int timeout)
{
	struct timespec limit;
	int result;
	real_ready();
	if (channel_wait(set, e, n, of_milliseconds(timeout, &limit), HOOK_CALLER, &result))
		return result;
	if (timeout != 0)
		outside_leave();
	result = real.epoll_wait(set, e, n, timeout);
	outside_return();
	return result;
}

HOOK_EXPORT int epoll_pwait(int set, struct epoll_event *e, int n, int timeout,
			    const sigset_t *mask)
{
	if (!mask)
		return epoll_wait(set, e, n, timeout);
	real_ready();
	if (timeout != 0)
		outside_leave();
	int result = real.epoll_pwait(set, e, n, timeout, mask);
	outside_return();
	return result;
}

AROUND(int, epoll_pwait2,
       (int fd, struct epoll_event *e, int n, const struct timespec *t, const sigset_t *mask),
       (fd, e, n, t, mask), int result;
       if (!mask && channel_wait(fd, e, n, t, HOOK_CALLER, &result)) return result;
       if (!is_zero(t)) outside_leave())
AROUND(int, ppoll, (struct pollfd * p, nfds_t n, const struct timespec *t, const sigset_t *mask),
       (p, n, t, mask), int result;
       if (!mask && channel_poll(p, n, t, HOOK_CALLER, &result)) return result;
       if (!is_zero(t)) outside_leave())

/* Without descriptors it is a sleep. */
HOOK_EXPORT int poll(struct pollfd *p, nfds_t n, int timeout)
{
	struct timespec length;
	int result;
	real_ready();
	if (n == 0 && timeout > 0)
		return nanosleep(of_milliseconds(timeout, &length), NULL);
	if (channel_poll(p, n, of_milliseconds(timeout, &length), HOOK_CALLER, &result))
		return result;
	if (timeout != 0)
		outside_leave();
	result = real.poll(p, n, timeout);
	outside_return();
	return result;
}
