#include "guest/check/hook/system/fd_release.h"

#include <fcntl.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>

#include "guest/os/sys.h"
#include "guest/check/sched/fds.h"
#include "guest/check/rules.h"
#include "wire/fds_ready.h"

/* The kernel's descriptors of one queue: what takes from it, what puts into it; -1: none. */
struct real_ends {
	int in, out;
};

static const struct fds_queue *queue(uint32_t q)
{
	return &fds_world.queue[q];
}

static void fill(int to, uint32_t q)
{
	const unsigned char *at = fds_world.bytes + fds_content_at(&fds_world, q);
	uint32_t length = queue(q)->bytes;

	for (uint32_t done = 0; done < queue(q)->bytes; done += length) {
		if (queue(q)->messages) {
			memcpy(&length, at + done, 4);
			done += 4;
		}
		sys_call(SYS_sendto, to, (long)(at + done), length, MSG_DONTWAIT | MSG_NOSIGNAL, 0,
			 0);
	}
	/* A pipe takes no messages. */
	if (queue(q)->kind == FDS_PIPE)
		sys_call(SYS_write, to, (long)at, queue(q)->bytes, 0, 0, 0);
}

static int socket_type(uint32_t q)
{
	return queue(q)->kind == FDS_STREAM	? SOCK_STREAM
	       : queue(q)->kind == FDS_SEQUENCE ? SOCK_SEQPACKET
						: SOCK_DGRAM;
}

static int make_counter(uint32_t q)
{
	uint64_t count = queue(q)->count;
	long fd = sys_call(SYS_eventfd2, 0, queue(q)->kind == FDS_TOKENS ? EFD_SEMAPHORE : 0, 0, 0,
			   0, 0);

	if (count)
		sys_call(SYS_write, fd, (long)&count, 8, 0, 0, 0);
	return (int)fd;
}

/* The queue into which the file that takes from q puts: the other half of a socket pair. */
static uint32_t partner(uint32_t q)
{
	for (uint32_t i = 0; i < fds_world.files; i++) {
		const struct fds_file *f = &fds_world.file[i];

		if (f->used && f->in == q)
			return f->out;
		if (f->used && f->out == q)
			return f->in;
	}
	return FDS_NONE;
}

static void make_queue(uint32_t q, struct real_ends *ends)
{
	int two[2] = {-1, -1};
	uint32_t other;

	switch (queue(q)->kind) {
	case FDS_PIPE:
		sys_call(SYS_pipe2, (long)two, 0, 0, 0, 0, 0);
		fill(two[1], q);
		ends[q] = (struct real_ends){two[0], two[1]};
		break;
	case FDS_STREAM:
	case FDS_SEQUENCE:
	case FDS_DATAGRAM:
		if (ends[q].in >= 0)
			break; /* made with its partner */
		other = partner(q);
		sys_call(SYS_socketpair, AF_UNIX, socket_type(q), 0, (long)two, 0, 0);
		fill(two[1], q);
		ends[q] = (struct real_ends){two[0], two[1]};
		if (other == FDS_NONE)
			break;
		fill(two[0], other);
		ends[other] = (struct real_ends){two[1], two[0]};
		break;
	case FDS_TIMER:
		two[0] = (int)sys_call(SYS_timerfd_create, CLOCK_MONOTONIC, 0, 0, 0, 0, 0);
		ends[q] = (struct real_ends){two[0], -1};
		break;
	case FDS_EPOLL:
		two[0] = (int)sys_call(SYS_epoll_create1, 0, 0, 0, 0, 0, 0);
		ends[q] = (struct real_ends){two[0], -1};
		break;
	case FDS_FREE:
		break;
	default:
		two[0] = make_counter(q);
		ends[q] = (struct real_ends){two[0], two[0]};
	}
}

/* Every number of the file stands for the kernel's descriptor instead of its placeholder. */
static void name_file(uint32_t f, const struct real_ends *ends)
{
	const struct fds_file *file = &fds_world.file[f];
	int fd = file->in != FDS_NONE ? ends[file->in].in : ends[file->out].out;

	if (file->flags & FDS_NONBLOCK)
		sys_call(SYS_fcntl, fd, F_SETFL, O_NONBLOCK, 0, 0, 0);
	for (int n = 0; n < FDS_NUMBERS; n++) {
		int on = fds_world.cloexec[n / 64] >> n % 64 & 1;

		if (fds_world.number[n] == f + 1)
			sys_call(SYS_dup3, fd, n, on ? O_CLOEXEC : 0, 0, 0, 0);
	}
}

static void set_watches(void)
{
	for (uint32_t i = 0; i < fds_world.watches; i++) {
		const struct fds_watch *x = &fds_world.watch[i];
		struct epoll_event e = {.events = x->events, .data.u64 = x->data};

		for (int n = 0; x->used && n < FDS_NUMBERS; n++) {
			uint8_t f = fds_world.number[n];

			if (f && f != FDS_REAL && fds_world.file[f - 1].in == x->queue) {
				sys_call(SYS_epoll_ctl, n, EPOLL_CTL_ADD, x->number, (long)&e, 0,
					 0);
				break;
			}
		}
	}
}

static void close_spare(struct real_ends *ends)
{
	for (uint32_t q = 0; q < fds_world.queues; q++) {
		if (ends[q].in >= 0)
			sys_close(ends[q].in);
		/* An eventfd is both ends in one; sockets are listed twice and closed once. */
		if (queue(q)->kind == FDS_PIPE)
			sys_close(ends[q].out);
		else if (ends[q].out >= 0 && queue(q)->kind < FDS_COUNTER && partner(q) == FDS_NONE)
			sys_close(ends[q].out);
	}
}

void fd_release(uint32_t site, const char *what)
{
	struct real_ends ends[FDS_QUEUES];

	if (!fds_any())
		return;
	rt_irreversible("%s with descriptors of the program", what);
	rt_unseen(site,
		  "%s with pipes, sockets or other descriptors of the program: what comes "
		  "through them from then on is not modelled",
		  what);
	for (uint32_t q = 0; q < FDS_QUEUES; q++)
		ends[q] = (struct real_ends){-1, -1};
	for (uint32_t q = 0; q < fds_world.queues; q++)
		make_queue(q, ends);
	for (uint32_t f = 0; f < fds_world.files; f++)
		if (fds_world.file[f].used)
			name_file(f, ends);
	set_watches();
	close_spare(ends);
	fds_given_up();
}
