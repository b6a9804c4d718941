/*
 * Calls answered from a recording (wire/feed.h) instead of the outside: the program reads what it
 * read then, gets the connections it got then, sees the times it saw then, and nobody is at the
 * other end.  What the log has no record for goes on as usual.
 *
 * A connection from the log is a descriptor of the null device: what is written to it is gone.
 */
#ifndef HEDDLE_RT_HOOK_FEED_H
#define HEDDLE_RT_HOOK_FEED_H

#include <poll.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/types.h>
#include <sys/uio.h>

#include "guest/check/rt.h"
#include "wire/feed.h"

/* There is a log. */
bool feed_on(void);

/* Each: false when the log has no answer, and nothing was done. */
bool feed_get(unsigned int kind, int fd, const struct iovec *to, int count, ssize_t *got);
bool feed_put(unsigned int kind, int fd, const struct iovec *from, int count, ssize_t *put);
bool feed_accept(int fd, struct sockaddr *from, socklen_t *from_bytes, int *made);
bool feed_poll(struct pollfd *fds, nfds_t count, int *ready);
bool feed_select(fd_set *const sets[3], int *ready);
bool feed_epoll(struct epoll_event *events, int max, int *ready);
/* Data of at most n bytes, which is not written anywhere visible; the result. */
bool feed_value(unsigned int kind, void *to, size_t n, int64_t *result);

/* A descriptor is watched by epoll now, or not any more. */
void feed_watch(int operation, int on, const struct epoll_event *event);
/* The wait for a signal that is about to begin ends with one from outside; as a step. */
bool feed_signal(int *number);
/*
 * The next signal from outside whose handler ran in that thread, from row on, which goes behind it;
 * 0: there is none.
 */
int feed_handled(uint32_t tid, uint32_t *row);

/* The error with which the path could not be opened then, 0: it could, or is not in the log. */
int feed_refusal(unsigned int kind, const char *path);

/* A descriptor, none of the program's, of a file with the contents that the path had; -1: not
 * known. */
int feed_file(const char *path);
void feed_file_done(int fd);

/* The call was answered by the model: its record is passed over. */
void feed_skip(unsigned int kind);

/* The descriptor is a connection from the log; it becomes one; it is closed. */
bool feed_is(int fd);
void feed_mark(int fd);
void feed_closed(int fd);

#endif
