#include "guest/stable/world/channel.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/wait.h>

#include "guest/os/fmt.h"
#include "guest/stable/conf.h"
#include "guest/stable/hook/hook.h"
#include "guest/stable/hook/outside.h"
#include "guest/stable/msg.h"
#include "guest/stable/os.h"
#include "guest/stable/real.h"
#include "guest/stable/world/state.h"
#include "guest/stable/sched/deadlock.h"
#include "guest/stable/sched/stall.h"

#define KNOWN CHANNEL_DESCRIPTORS
#define CHANNELS 1024

struct channel {
	uint32_t ends; /* descriptors of it; 0 = free */
	uint8_t kind;
	bool given_up;
};

static struct channel channels[CHANNELS];
static uint16_t channel_at[KNOWN]; /* 1 + channel of a descriptor */
static uint8_t set_at[KNOWN];	   /* of epoll: what is in it */
enum { SET_KNOWN = 1, SET_CHANNELS = 2, SET_OTHERS = 4 };
static uint32_t making;
uint32_t channel_count;
static char pollers; /* where those wait who wait for several */

static bool channel_rescue(void);
static void channel_look(struct sched_thread *t);

/* ---- who is a channel ---- */

static bool is_number(int fd)
{
	return fd >= 0 && fd < KNOWN;
}

static struct channel *any_of(int fd)
{
	return is_number(fd) && channel_at[fd] ? &channels[channel_at[fd] - 1] : NULL;
}

static struct channel *of(int fd)
{
	struct channel *c = any_of(fd);
	return c && !c->given_up ? c : NULL;
}

static void add_end(struct channel *c, int fd)
{
	__atomic_add_fetch(&c->ends, 1, __ATOMIC_ACQ_REL);
	channel_at[fd] = (uint16_t)(c - channels + 1);
}

void channel_made(enum channel_kind kind, int first, int second)
{
	if (first < 0 || !conf.state || conf.replay[0])
		return;
	if (!is_number(first) || (second >= 0 && !is_number(second))) {
		msg_loose(STABLE_LOOSE_CHANNEL, 0);
		return;
	}
	while (__atomic_exchange_n(&making, 1, __ATOMIC_ACQUIRE))
		os_yield();
	struct channel *c = channels;
	while (c < channels + CHANNELS && __atomic_load_n(&c->ends, __ATOMIC_ACQUIRE))
		c++;
	if (c < channels + CHANNELS) {
		c->kind = (uint8_t)kind;
		c->given_up = false;
		add_end(c, first);
		if (second >= 0)
			add_end(c, second);
		channel_count++;
		deadlock_rescue = channel_rescue;
		stall_unseen = channel_look;
	} else {
		msg_loose(STABLE_LOOSE_CHANNEL, 0);
	}
	__atomic_store_n(&making, 0, __ATOMIC_RELEASE);
}

void channel_fork_child(void)
{
	making = 0;
}

void channel_copied(int fd, int copy)
{
	struct channel *c = any_of(fd);
	if (c && is_number(copy))
		add_end(c, copy);
}

void channel_forget(int fd)
{
	struct channel *c = any_of(fd);
	outside_forget(fd);
	state_forget_fd(fd);
	if (is_number(fd))
		set_at[fd] = 0;
	if (!c)
		return;
	channel_at[fd] = 0;
	__atomic_sub_fetch(&c->ends, 1, __ATOMIC_ACQ_REL);
}

/* ---- one descriptor ---- */

static bool is_ready(int fd, short events)
{
	struct pollfd p = {.fd = fd, .events = events};
	return sys_call3(SYS_poll, &p, 1, 0) != 0;
}

static bool waits(int fd)
{
	long flags = sys_call3(SYS_fcntl, fd, F_GETFL, 0);
	return flags >= 0 && !(flags & O_NONBLOCK);
}

/* What the calling thread wants of the channel it asks for. */
static __thread struct {
	int fd;
	short events;
	bool at_once;
} wanted __attribute__((tls_model("initial-exec")));

static int try_channel(void *channel)
{
	struct channel *c = channel;
	bool may_go = wanted.at_once || c->given_up || is_ready(wanted.fd, wanted.events);
	return may_go ? 0 : EBUSY;
}

/* In the schedule, outside of sections; the first thread alone is as well. */
static bool is_scheduled(void)
{
	struct sched_thread *t = sched_self;
	return t && !t->bypass && !t->pcs.depth;
}

enum channel_answer channel_enter(int fd, short events, bool at_once, uintptr_t caller)
{
	struct channel *c = of(fd);
	if (!c || !is_scheduled())
		return CHANNEL_OUTSIDE;
	int saved = errno;
	struct sched_thread *t = hook_begin(caller, STABLE_OP_CHANNEL);
	if (!t)
		return CHANNEL_OUTSIDE;
	wanted.fd = fd;
	wanted.events = events;
	wanted.at_once = at_once || !waits(fd);
	struct hook_acquire a = {.op = STABLE_OP_CHANNEL,
				 .addr = c,
				 .try = try_channel,
				 .cancellable = true,
				 .interruptible = true};
	int result = hook_acquire(t, &a);
	errno = saved;
	if (result == 0 && !c->given_up)
		return CHANNEL_READY;
	hook_end(t);
	if (result == ECANCELED)
		hook_test_cancel(t);
	return result ? CHANNEL_INTERRUPTED : CHANNEL_OUTSIDE;
}

void channel_leave(int fd)
{
	struct channel *c = any_of(fd);
	int saved = errno;
	if (c)
		sched_broadcast(c);
	sched_broadcast(&pollers);
	hook_end(sched_self);
	errno = saved;
}

void channel_touched(int fd, uintptr_t caller)
{
	struct channel *c = any_of(fd);
	int saved = errno;
	if (c && channel_count) {
		hook_outside_wake(c, caller, true);
		hook_outside_wake(&pollers, caller, true);
	}
	errno = saved;
}

/* ---- writing: in pieces that do not wait ---- */

static ssize_t write_piece(const struct channel *c, int fd, const void *from, size_t bytes,
			   int flags)
{
	if (c->kind == CHANNEL_PAIR)
		return real.send(fd, from, bytes, flags | MSG_DONTWAIT);
	return real.write(fd, from, bytes);
}

static bool goes_on(ssize_t n, size_t done, size_t bytes)
{
	return n > 0 && done < bytes;
}

bool channel_write(int fd, const void *from, size_t bytes, int flags, uintptr_t caller,
		   ssize_t *result)
{
	struct channel *c = of(fd);
	size_t done = 0;
	ssize_t n = 0;
	if (!c || !is_scheduled())
		return false;
	bool at_once = (flags & MSG_DONTWAIT) || !waits(fd);
	do {
		enum channel_answer answer = channel_enter(fd, POLLOUT, at_once, caller);
		size_t piece = bytes - done;
		if (answer == CHANNEL_OUTSIDE && done == 0)
			return false;
		if (answer != CHANNEL_READY) {
			errno = EINTR;
			n = -1;
			break;
		}
		if (c->kind == CHANNEL_PIPE && !at_once && piece > PIPE_BUF)
			piece = PIPE_BUF;
		n = write_piece(c, fd, (const char *)from + done, piece, flags);
		channel_leave(fd);
		if (n > 0)
			done += (size_t)n;
		/* No room after all, for so much at once. */
		if (n < 0 && errno == EAGAIN && !at_once)
			n = 1;
	} while (!at_once && goes_on(n, done, bytes));
	*result = done ? (ssize_t)done : n;
	return true;
}

/* ---- several at once ---- */

struct several {
	int (*ask)(struct several *s);	       /* how many are ready, without waiting */
	bool (*ours)(const struct several *s); /* nothing of the world among them */
	struct pollfd *p;
	nfds_t n;
	int set;
	struct epoll_event *to;
	int ready;
};

static __thread struct several *asked __attribute__((tls_model("initial-exec")));

static int try_several(void *unused)
{
	(void)unused;
	asked->ready = asked->ask(asked);
	return asked->ready == 0 && asked->ours(asked) ? EBUSY : 0;
}

static bool wait_for_several(struct several *s, const struct timespec *limit, uintptr_t caller,
			     int *result)
{
	struct sched_thread *t = hook_begin(caller, STABLE_OP_CHANNELS);
	bool at_once = limit && limit->tv_sec == 0 && limit->tv_nsec == 0;
	int saved = errno;
	if (!t)
		return false;
	struct hook_acquire a = {.op = STABLE_OP_CHANNELS,
				 .addr = &pollers,
				 .try = try_several,
				 .turns = limit && !at_once ? hook_turns(limit) : 0,
				 .cancellable = true,
				 .interruptible = true};
	asked = s;
	int why = at_once ? try_several(NULL) : hook_acquire(t, &a);
	bool given_up = why == 0 && s->ready == 0;
	hook_end(t);
	errno = saved;
	if (why == ECANCELED)
		hook_test_cancel(t);
	*result = why == EINTR || why == ECANCELED ? -1 : s->ready;
	if (*result < 0)
		errno = EINTR;
	return !given_up || at_once;
}

static int ask_poll(struct several *s)
{
	return (int)sys_call3(SYS_poll, s->p, s->n, 0);
}

/* For edge-triggered sets too: what is asked for is not taken. */
static bool ask_is_ready(void)
{
	struct pollfd p = {.fd = asked->set, .events = POLLIN};
	if (asked->p)
		return ask_poll(asked) > 0;
	return sys_call3(SYS_poll, &p, 1, 0) > 0;
}

static bool poll_is_ours(const struct several *s)
{
	for (nfds_t i = 0; i < s->n; i++) {
		if (s->p[i].fd >= 0 && !of(s->p[i].fd))
			return false;
	}
	return true;
}

static bool set_is_ours(const struct several *s)
{
	return (set_at[s->set] & (SET_KNOWN | SET_OTHERS)) == SET_KNOWN;
}

static int ask_set(struct several *s)
{
	return (int)sys_call(SYS_epoll_wait, s->set, (long)s->to, (long)s->n, 0, 0, 0);
}

/* Some of them are channels and some are not: what a thread of the program does can end the wait.
 */
static void note_mixed(bool some, uintptr_t caller)
{
	if (some)
		msg_loose(STABLE_LOOSE_CHANNEL, caller);
}

bool channel_poll(struct pollfd *p, nfds_t n, const struct timespec *limit, uintptr_t caller,
		  int *result)
{
	struct several s = {.ask = ask_poll, .ours = poll_is_ours, .p = p, .n = n};
	nfds_t ours = 0;
	if (!channel_count || !is_scheduled())
		return false;
	for (nfds_t i = 0; i < n; i++)
		ours += of(p[i].fd) != NULL;
	if (!ours || !poll_is_ours(&s)) {
		note_mixed(ours != 0, caller);
		return false;
	}
	return wait_for_several(&s, limit, caller, result);
}

void channel_set_made(int set)
{
	if (is_number(set))
		set_at[set] = SET_KNOWN;
}

void channel_watched(int set, int fd)
{
	if (is_number(set))
		set_at[set] |= of(fd) ? SET_CHANNELS : SET_OTHERS;
}

bool channel_wait(int set, struct epoll_event *to, int n, const struct timespec *limit,
		  uintptr_t caller, int *result)
{
	if (!channel_count || !is_scheduled() || !is_number(set) || n <= 0)
		return false;
	struct several s = {
		.ask = ask_set, .ours = set_is_ours, .set = set, .to = to, .n = (nfds_t)n};
	if (!set_is_ours(&s)) {
		note_mixed(set_at[set] & SET_CHANNELS, caller);
		return false;
	}
	return wait_for_several(&s, limit, caller, result);
}

/* ---- giving up ---- */

static void give_up(struct channel *c)
{
	c->given_up = true;
	for (int set = 0; set < KNOWN; set++) {
		if (set_at[set] & SET_CHANNELS)
			set_at[set] |= SET_OTHERS;
	}
	sched_notify(c, true);
	sched_notify(&pollers, true);
}

void channel_give_up(int fd, uintptr_t at)
{
	struct channel *c = of(fd);
	if (!c)
		return;
	msg_loose(STABLE_LOOSE_CHANNEL, at);
	give_up(c);
}

static bool is_inherited(const struct channel *c)
{
	for (int fd = 0; fd < KNOWN; fd++) {
		if (any_of(fd) == c && sys_call3(SYS_fcntl, fd, F_GETFD, 0) == 0)
			return true;
	}
	return false;
}

void channel_give_up_all(bool only_inherited)
{
	if (!channel_count)
		return;
	for (struct channel *c = channels; c < channels + CHANNELS; c++) {
		if (c->ends && !c->given_up && (!only_inherited || is_inherited(c)))
			give_up(c);
	}
}

/* A ring of the kernel's, which can write a counter. */
static bool is_ring(int fd)
{
	static const char ring[] = "anon_inode:[io_uring]";
	char path[64], name[sizeof(ring)];
	fmt_text(path, sizeof(path), "/proc/self/fd/%d", fd);
	long n = sys_call3(SYS_readlink, path, name, sizeof(name));
	return n == sizeof(ring) - 1 && memcmp(name, ring, sizeof(ring) - 1) == 0;
}

/* Processes of the program, or the kernel on its behalf, may still use a channel. */
static bool others_may_come(void)
{
	siginfo_t child = {0};
	if (sys_call(SYS_waitid, P_ALL, 0, (long)&child, WEXITED | WNOHANG | WNOWAIT, 0, 0) >= 0)
		return true;
	for (int fd = 0; fd < KNOWN; fd++) {
		if (is_ring(fd))
			return true;
	}
	return false;
}

/* Every thread waits; some may wait for what comes from elsewhere after all. */
static bool channel_rescue(void)
{
	bool some = false;
	for (struct channel *c = channels; channel_count && c < channels + CHANNELS; c++)
		some |= c->ends && !c->given_up;
	if (!some || !others_may_come())
		return false;
	channel_give_up_all(false);
	return true;
}

#define LOOKS 3 /* in a row that find it ready, before somebody unseen is said to have been there  \
		 */

/*
 * The caller waits for a channel, and has slept.  Whoever changes a channel in the schedule wakes
 * its waiters; if it is ready and nobody did, it was a call that heddle does not see.
 */
static void channel_look(struct sched_thread *t)
{
	static __thread uint32_t ready __attribute__((tls_model("initial-exec")));
	struct channel *c = t ? t->wait.addr : NULL;
	bool several = t && t->waiting && t->wait.addr == &pollers;
	bool one = t && t->waiting && c >= channels && c < channels + CHANNELS;
	bool now = (several && ask_is_ready()) ||
		   (one && !c->given_up && is_ready(wanted.fd, wanted.events));
	ready = now ? ready + 1 : 0;
	if (ready < LOOKS)
		return;
	ready = 0;
	msg_loose(STABLE_LOOSE_CHANNEL, t->pc[0]);
	if (one)
		give_up(c);
	else
		channel_give_up_all(false);
}
