/* Waiting for several descriptors of the model. */
#include <errno.h>
#include <string.h>
#include <sys/syscall.h>

#include "guest/check/hook/call.h"
#include "guest/check/hook/system/fd.h"
#include "guest/check/hook/system/fd_release.h"
#include "guest/check/hook/memory/user.h"
#include "guest/os/sys.h"

#define MAX_WANTS 256

static bool any_modelled(const struct pollfd *fds, nfds_t count)
{
	for (nfds_t i = 0; i < count; i++)
		if (fds_modelled(fds[i].fd))
			return true;
	return false;
}

/*
 * What the kernel's descriptors among them are ready for now, which counts as input.  False when
 * one is not: it could become ready later, together with ours.
 */
static bool ask_outside(const struct pollfd *fds, nfds_t count, struct fds_want *wants)
{
	for (nfds_t i = 0; i < count; i++) {
		struct pollfd p = fds[i];

		wants[i] = (struct fds_want){p.fd, (uint16_t)p.events, 0};
		if (p.fd < 0 || fds_covers(p.fd))
			continue;
		if (sys_call(SYS_poll, (long)&p, 1, 0, 0, 0, 0) != 1)
			return false;
		wants[i].found = (uint16_t)p.revents;
	}
	return true;
}

static void fill_in(struct pollfd *fds, nfds_t count, const struct fds_answer *a, uint32_t site)
{
	for (nfds_t i = 0; i < count; i++) {
		short found = 0;

		if (a->n)
			memcpy(&found, a->bytes + i * sizeof(found), sizeof(found));
		user_write(&fds[i].revents, &found, sizeof(found), site);
	}
}

bool fd_poll(struct pollfd *fds, nfds_t count, int64_t timeout, int *result)
{
	struct fds_want wants[MAX_WANTS];
	struct fds_request r = {.call = {.op = FDS_DO_POLL, .fd = -1},
				.payload = (const unsigned char *)wants};
	struct fds_answer a;
	uint32_t site;

	if (!any_modelled(fds, count))
		return false;
	site = sched_take_site();
	if (count > MAX_WANTS || !ask_outside(fds, count, wants)) {
		fd_release(site, "a wait for descriptors from outside together");
		return false;
	}
	r.call.n = (uint32_t)(count * sizeof(wants[0]));
	r.call.flags = timeout == 0 ? FDS_NOWAIT : 0;
	fds_step(&r, site, timeout, &a);
	if (a.result == FDS_OUTSIDE)
		return false;
	*result = a.result == FDS_BLOCKS ? 0 : (int)a.result;
	fill_in(fds, count, &a, site);
	return true;
}

bool fd_epoll_ctl(int fd, int operation, int on, const struct epoll_event *event, int *result)
{
	struct fds_request r = {.call = {.op = FDS_DO_CTL, .fd = fd, .to = on}};
	struct fds_answer a;
	uint32_t site;

	if (!fds_covers(fd))
		return false;
	site = sched_take_site();
	if (operation != EPOLL_CTL_DEL) {
		struct epoll_event copy;

		user_read(&copy, event, sizeof(copy), site);
		r.call.value = copy.events;
		r.call.extra = copy.data.u64;
	}
	r.call.value |= (uint64_t)operation << 32;
	if (fds_modelled(fd) && (!fds_covers(on) || fds_is_epoll(on)))
		fd_release(site, "an epoll instance for descriptors from outside");
	fds_step(&r, site, -1, &a);
	if (a.result == FDS_FULL)
		fd_release(site, "more watches than are modelled");
	if (a.result == FDS_OUTSIDE || a.result == FDS_FULL)
		return false;
	*result = a.result < 0 ? -1 : 0;
	if (a.result < 0)
		errno = (int)-a.result;
	return true;
}

bool fd_epoll_wait(int fd, struct epoll_event *events, int max, int64_t timeout, int *result)
{
	struct fds_request r = {.call = {.op = FDS_DO_WAIT, .fd = fd}};
	struct fds_answer a;
	uint32_t site;

	if (!fds_covers(fd))
		return false;
	site = sched_take_site();
	r.call.value = (uint64_t)(max < FDS_WATCHES ? max : FDS_WATCHES);
	r.call.flags = timeout == 0 ? FDS_NOWAIT : 0;
	fds_step(&r, site, timeout, &a);
	if (a.result == FDS_OUTSIDE)
		return false;
	*result = a.result == FDS_BLOCKS ? 0 : a.result < 0 ? -1 : (int)a.result;
	if (a.result < 0 && a.result != FDS_BLOCKS)
		errno = (int)-a.result;
	user_write(events, a.bytes, a.n, site);
	return true;
}
