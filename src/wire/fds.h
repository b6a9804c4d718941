/*
 * Descriptors whose both ends are in the program, as plain data: pipes, socket pairs, eventfds,
 * timers, epoll instances, with what is in them.
 *
 * A number (what the program calls a descriptor) stands for a file (what dup shares: flags, and
 * which queues it takes from and puts into), and a file for queues.  A pipe is one queue and two
 * files; a socket pair is two queues and two files; an eventfd is one queue, a counter, and one
 * file that takes from it and puts into it; an epoll instance is a queue that holds nothing, with
 * watches.
 *
 * The world is canonical: what is free is zero and not counted, contents lie one behind the other
 * in the order of their queues.  Equal futures are (nearly always) equal bytes, see fds_size().
 *
 * fds_rules.h has the transitions.  Guest and host use the same: what the guest does for the
 * program, the host computes for executions that never ran.
 */
#ifndef HEDDLE_WIRE_FDS_H
#define HEDDLE_WIRE_FDS_H

#include <stddef.h>
#include <stdint.h>

#define FDS_NUMBERS 128 /* larger numbers are never modelled */
#define FDS_FILES 96
#define FDS_QUEUES 96
#define FDS_WATCHES 64
#define FDS_CONTENT (1u << 20)
#define FDS_NONE 0xff /* no queue */
#define FDS_REAL 0xff /* a number that the kernel gave out in this run */

#define FDS_PIPE_ROOM 65536
#define FDS_PIPE_BUF 4096 /* what is written to a pipe in one piece */
#define FDS_SOCKET_ROOM 212992
#define FDS_COUNTER_MAX (UINT64_MAX - 1)

enum fds_kind {
	FDS_FREE,
	FDS_PIPE,
	FDS_STREAM,
	FDS_SEQUENCE, /* SOCK_SEQPACKET */
	FDS_DATAGRAM,
	FDS_COUNTER,
	FDS_TOKENS, /* a counter from which one is taken at a time */
	FDS_TIMER,
	FDS_EPOLL,
};

enum fds_shut {
	FDS_SHUT_IN = 1,
	FDS_SHUT_OUT = 2,
	FDS_RESET = 4,	/* whoever took from the other queue left something in it */
	FDS_PARTED = 8, /* a datagram socket that knows that its peer is gone */
};

struct fds_file {
	uint8_t used, in, out, spare;
	uint32_t flags; /* FDS_NONBLOCK */
};

struct fds_queue {
	uint8_t kind, shut; /* enum fds_shut: nobody takes, puts any more, by shutdown() */
	uint16_t spare;
	uint32_t bytes, messages;
	uint32_t room;
	uint64_t count; /* counters */
};

struct fds_watch {
	uint8_t queue, file, number, used; /* queue of the epoll instance */
	uint32_t events;
	uint64_t data;
	uint32_t rank; /* place in the list of those that may be ready, from 1; 0: not in it */
	uint32_t spare;
};

struct fds_world {
	uint8_t number[FDS_NUMBERS]; /* 0: free; FDS_REAL; else file + 1 */
	uint64_t gone[2];	     /* taken before the run began, and closed since */
	uint64_t cloexec[2];
	uint32_t files, queues, watches; /* so many entries may be in use */
	uint32_t content;
	struct fds_file file[FDS_FILES];
	struct fds_queue queue[FDS_QUEUES];
	struct fds_watch watch[FDS_WATCHES];
	unsigned char bytes[FDS_CONTENT];
};

enum fds_op {
	FDS_DO_PIPE = 1, /* flags */
	FDS_DO_PAIR,	 /* value = enum fds_kind, flags */
	FDS_DO_COUNTER,	 /* value = first count, extra = enum fds_kind, flags */
	FDS_DO_TIMER,	 /* flags */
	FDS_DO_EPOLL,	 /* flags */
	FDS_DO_CLAIM,	 /* fd: the kernel gave that number out */
	FDS_DO_CLOSE,	 /* fd */
	FDS_DO_DUP,	 /* fd, value = lowest number, flags */
	FDS_DO_DUP2,	 /* fd, to, flags */
	FDS_DO_GETFL,	 /* fd */
	FDS_DO_SETFL,	 /* fd, flags */
	FDS_DO_GETFD,	 /* fd */
	FDS_DO_SETFD,	 /* fd, value */
	FDS_DO_GET,	 /* fd, value = bytes at most, flags */
	FDS_DO_PUT,	 /* fd, payload, flags */
	FDS_DO_SHUTDOWN, /* fd, value = enum fds_shut */
	FDS_DO_LOOK,	 /* fd: bytes that could be taken */
	FDS_DO_POLL,	 /* payload = struct fds_want, flags */
	FDS_DO_CTL,	 /* fd, to, value = events | operation << 32, extra = data */
	FDS_DO_WAIT,	 /* fd, value = events at most, flags */
	FDS_DO_ARM,	 /* fd, value = 1 when it may fire; what was counted is forgotten */
	FDS_DO_FIRE,	 /* fd: the timer has run out, value times */
	FDS_OPS,
};

enum fds_flag {
	FDS_NONBLOCK = 1,
	FDS_CLOEXEC = 2,
	FDS_NOWAIT = 4, /* this call does not block */
	FDS_PEEK = 8,
	FDS_ALL = 16,	 /* waits until everything asked for is there */
	FDS_SOCKET = 32, /* only of sockets: ENOTSOCK otherwise */
};

/* What poll and epoll call ready; the kernel's numbers. */
enum fds_ready {
	FDS_IN = 1,
	FDS_PRI = 2,
	FDS_OUT = 4,
	FDS_ERR = 8,
	FDS_HUP = 16,
	FDS_NVAL = 32,
	FDS_RDNORM = 64,
	FDS_WRNORM = 256,
	FDS_RDHUP = 0x2000,
};
#define FDS_ONESHOT (1u << 30)
#define FDS_EDGE (1u << 31)
#define FDS_OPTIONS (FDS_ONESHOT | FDS_EDGE | 3u << 28)

struct fds_want {
	int32_t fd;
	uint16_t events;
	uint16_t found; /* of a descriptor from outside: what it is ready for */
};

struct fds_ready_event { /* as struct epoll_event */
	uint32_t events;
	uint64_t data;
} __attribute__((packed));

/* One call, as it is logged behind an EVENT_FD: this, then n bytes of payload. */
struct fds_call {
	uint8_t op, spare;
	uint16_t flags;
	int32_t fd, to;
	uint32_t n;
	uint64_t value, extra;
	uint64_t taken[2]; /* numbers that were in use when the run began */
};

#define FDS_BLOCKS INT64_MIN	    /* nothing happened */
#define FDS_FULL (INT64_MIN + 1)    /* more than the model holds: nothing happened */
#define FDS_OUTSIDE (INT64_MIN + 2) /* the number is one of the kernel's */

struct fds_answer {
	int64_t result; /* what the call returns, or -errno, or one of the above */
	int32_t numbers[2];
	uint32_t n;	      /* bytes taken, poll's and epoll's answers */
	unsigned char *bytes; /* room for them, given by the caller */
};

/* The outcome of a call as one number; never 0 or 1. */
static inline uint64_t fds_outcome(const struct fds_answer *a)
{
	uint64_t h = (uint64_t)a->result * UINT64_C(0x9e3779b97f4a7c15);

	h = (h ^ (uint32_t)a->numbers[0]) * UINT64_C(0xd6e8feb86659fd93);
	h = (h ^ (uint32_t)a->numbers[1]) * UINT64_C(0xd6e8feb86659fd93);
	for (uint32_t i = 0; i < a->n; i++) {
		h = (h ^ a->bytes[i]) * UINT64_C(0x9e3779b97f4a7c15);
		h ^= h >> 29;
	}
	return h > 1 ? h : h + 2;
}

/* Bytes from the beginning of a world that are not zero by its counts; contents among them. */
static inline size_t fds_size(const struct fds_world *w)
{
	return offsetof(struct fds_world, bytes) + w->content;
}

_Static_assert(sizeof(struct fds_call) == 48, "call layout");
_Static_assert(sizeof(struct fds_want) == 8, "want layout");
_Static_assert(sizeof(struct fds_ready_event) == 12, "as the kernel's");

#endif
