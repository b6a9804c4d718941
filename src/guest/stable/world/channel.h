/*
 * Channels: pipes, pairs of sockets and event counters that the program has made itself, and whose
 * ends it has all to itself.  What comes out of them is decided by what its threads put in, so
 * reading, writing, closing and polling them are operations of the schedule: a thread that must
 * wait does so in the schedule, for the channel.
 *
 * A channel is given up, for good, when something outside may use it: at a fork, when ends are sent
 * to another process, when a stream of the C library or the kernel itself moves its bytes.  Then it
 * is a descriptor like those of the world (outside.h).  So is a wait for channels and others at
 * once.
 */
#ifndef HEDDLE_STABLE_CHANNEL_H
#define HEDDLE_STABLE_CHANNEL_H

#include <poll.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/select.h>
#include <sys/types.h>
#include <time.h>

#define CHANNEL_DESCRIPTORS 4096 /* numbers that are looked at */

enum channel_kind { CHANNEL_NONE, CHANNEL_PIPE, CHANNEL_PAIR, CHANNEL_COUNTER };

/* There is one that was not given up, perhaps. */
extern uint32_t channel_count;
static inline bool channel_any(void)
{
	return __builtin_expect(channel_count != 0, 0);
}

/* New descriptors of one channel; second is -1 when there is one. */
void channel_made(enum channel_kind kind, int first, int second);
/* In the child of a fork: nobody is making one. */
void channel_fork_child(void);
void channel_copied(int fd, int copy);
/* The number fd means something else from now on: also for outside.h and state.h. */
void channel_forget(int fd);

enum channel_answer {
	CHANNEL_OUTSIDE, /* no channel, or the caller is not in the schedule: as ever */
	CHANNEL_READY,	 /* the caller has the turn and the call will not wait: channel_leave() */
	CHANNEL_INTERRUPTED, /* by a signal: EINTR */
};

/* Until fd is ready for events; at once when the call itself does not wait. */
enum channel_answer channel_enter(int fd, short events, bool at_once, uintptr_t caller);
/* After CHANNEL_READY and the call; errno stays. */
void channel_leave(int fd);
/*
 * At the head of a wrapper: the call in the schedule, when fd is of a channel and it would not
 * wait. -1 is what all of them answer when they are interrupted.
 */
#define CHANNEL_FIRST(fd, events, at_once, call)                                                   \
	switch (channel_enter(fd, events, at_once, HOOK_CALLER)) {                                 \
	case CHANNEL_READY: {                                                                      \
		__auto_type answer = call;                                                         \
		channel_leave(fd);                                                                 \
		return answer;                                                                     \
	}                                                                                          \
	case CHANNEL_INTERRUPTED:                                                                  \
		errno = EINTR;                                                                     \
		return -1;                                                                         \
	case CHANNEL_OUTSIDE:                                                                      \
		break;                                                                             \
	}

/* After a call outside: those who wait for fd look again. */
void channel_touched(int fd, uintptr_t caller);

/* All of write() or send() on a channel: false when the caller must do it outside. */
bool channel_write(int fd, const void *from, size_t bytes, int flags, uintptr_t caller,
		   ssize_t *result);

/* Waits for several: false when they are not all channels. */
bool channel_poll(struct pollfd *p, nfds_t n, const struct timespec *limit, uintptr_t caller,
		  int *result);
/* The same for a set of epoll; channel_watched(): fd was added to it. */
void channel_set_made(int set);
void channel_watched(int set, int fd);
struct epoll_event;
bool channel_wait(int set, struct epoll_event *to, int n, const struct timespec *limit,
		  uintptr_t caller, int *result);

/* Something moves the bytes of fd unseen; at is where. */
void channel_give_up(int fd, uintptr_t at);
/* Another process may have ends: all of them, or only those that an exec leaves open. */
void channel_give_up_all(bool only_inherited);
#endif
