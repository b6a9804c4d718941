/*
 * Calls on descriptors of the model (sched/fds.h).
 *
 * Each returns false when the descriptor is not the model's: then the caller goes on with the
 * kernel's.  Otherwise *result is what the program gets, and errno is set.
 */
#ifndef HEDDLE_RT_HOOK_FD_H
#define HEDDLE_RT_HOOK_FD_H

#include <poll.h>
#include <sys/epoll.h>
#include <sys/uio.h>

#include "guest/check/sched/fds.h"

struct fd_parts {
	const struct iovec *part;
	int count;
};

/* flags: enum fds_flag. */
bool fd_get(int fd, struct fd_parts to, unsigned int flags, ssize_t *result);
/* FD_NO_SIGNAL among the flags: a broken pipe raises nothing. */
#define FD_NO_SIGNAL 0x8000u
bool fd_put(int fd, struct fd_parts from, unsigned int flags, ssize_t *result);
bool fd_close(int fd, int *result);
bool fd_control(int fd, int command, void *arg, int *result);
bool fd_dup(int fd, struct fds_call call, int *result);
bool fd_shutdown(int fd, int how, int *result);
/* A call about flags. */
bool fd_property(struct fds_call call, int *result);
/* Bytes that can be read at once. */
bool fd_look(int fd, int *result);

/* False when the model has no room for it, or has been given up. */
bool fd_make_two(struct fds_call call, int fds[2]);
bool fd_make_one(struct fds_call call, int *result);

/* revents are filled in; timeout in ns, negative: none. */
bool fd_poll(struct pollfd *fds, nfds_t count, int64_t timeout, int *result);
bool fd_epoll_ctl(int fd, int operation, int on, const struct epoll_event *event, int *result);
bool fd_epoll_wait(int fd, struct epoll_event *events, int max, int64_t timeout, int *result);

/* Code outside control, a handler, reads or writes: done at once, and said. */
bool fd_unseen_get(int fd, void *to, size_t n, ssize_t *result);
bool fd_unseen_put(int fd, const void *from, size_t n, ssize_t *result);

#endif
