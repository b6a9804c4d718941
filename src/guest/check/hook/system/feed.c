#include "guest/check/hook/system/feed.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/syscall.h>

#include "guest/check/hook/call.h"
#include "guest/check/hook/memory/user.h"
#include "guest/check/hook/system/io.h"
#include "guest/check/mem/undo.h"
#include "guest/check/rec/rec.h"
#include "guest/check/sched/thread.h"
#include "guest/os/sys.h"

#define KINDS 40
#define FDS 4096

/*
 * Of a run: which task each thread is (plus 1), and how far it has come in its log, by kind.  Too
 * large to be copied back after every run of a program that has no log: it is emptied when a run
 * first uses it.
 */
static struct {
	uint16_t task[WIRE_FEED_THREADS];
	uint32_t at[WIRE_FEED_THREADS][KINDS];
	uint64_t fds[FDS / 64];
	bool watched[FDS]; /* by epoll, with that data */
	uint64_t data[FDS];
} feed;
static RT_RUN bool begun;

static const struct wire_feed *head(void)
{
	const struct wire_feed *f;

	if (!rt_ctl || rt_ctl->inputs.bytes < sizeof(*f))
		return NULL;
	f = (const struct wire_feed *)((const char *)rt_ctl + rt_ctl->inputs.offset);
	if (f->magic != WIRE_FEED_MAGIC)
		return NULL;
	if (!begun)
		memset(&feed, 0, sizeof(feed));
	begun = true;
	return f;
}

bool feed_on(void)
{
	return head() != NULL;
}

/* ---- whose log it is ---- */

static const struct wire_feed_task *task_nth(const struct wire_feed *f, uint32_t n)
{
	const struct wire_feed_task *t = (const struct wire_feed_task *)(f + 1);
	uint64_t room = (rt_ctl->inputs.bytes - sizeof(*f)) / sizeof(*t);

	return n < f->tasks && n < room ? &t[n] : NULL;
}

/* Number of the task plus 1; 0 when there is none. */
static uint32_t find_task(const struct wire_feed *f, uint32_t creator, uint32_t index)
{
	const struct wire_feed_task *t;

	for (uint32_t i = 0; (t = task_nth(f, i)); i++)
		if (t->creator == creator && t->index == index)
			return i + 1;
	return 0;
}

static uint32_t task_of(const struct wire_feed *f, uint32_t tid)
{
	const struct rt_thread *t = thread_by_tid(tid);
	uint32_t creator;

	if (tid >= WIRE_FEED_THREADS || !t)
		return 0;
	if (feed.task[tid])
		return feed.task[tid];
	if (tid == 0) {
		feed.task[0] = 1;
	} else if (t->parent < tid) {
		creator = task_of(f, t->parent);
		if (creator)
			feed.task[tid] = (uint16_t)find_task(f, creator - 1, t->child_index);
	}
	return feed.task[tid];
}

/* ---- records ---- */

/* The record at an offset of the log, when all of it is there. */
static const struct record_input *record_at(const char *log, uint64_t bytes, uint64_t at)
{
	const struct record_input *in;

	if (at > bytes || bytes - at < sizeof(*in))
		return NULL;
	in = (const struct record_input *)(log + at);
	if (in->bytes < sizeof(*in) || in->bytes > bytes - at || in->bytes % 8 ||
	    in->data > in->bytes - sizeof(*in))
		return NULL;
	return in;
}

static const unsigned char *data_of(const struct record_input *in)
{
	return (const unsigned char *)(in + 1);
}

static bool is_named(const struct record_input *in, const char *name)
{
	size_t n = strlen(name) + 1;

	return in->data >= n && memcmp(data_of(in), name, n) == 0;
}

/*
 * Who is not executed again needs no answers; but a library that waits for the descriptors of others
 * calls again, and what it waits for comes from the log.
 */
static bool is_answer(const struct record_input *in, unsigned int kind)
{
	bool waits = kind == RECORD_IN_EPOLL_WAIT || kind == RECORD_IN_POLL ||
		     kind == RECORD_IN_SELECT;

	return in->kind == kind && !(in->flags & RECORD_INPUT_CUT) &&
	       (waits || !(in->flags & RECORD_INPUT_FOREIGN));
}

/* The next record of the kind, or the next with that name: those before it are passed over then. */
static const struct record_input *take_named(unsigned int kind, const char *name)
{
	const struct wire_feed *f = head();
	uint32_t tid = rt_current->tid, number, at;
	const struct wire_feed_task *t;
	const struct record_input *in;

	if (!f || kind >= KINDS || !(number = task_of(f, tid)) || !(t = task_nth(f, number - 1)))
		return NULL;
	if (t->at > rt_ctl->inputs.bytes || t->bytes > rt_ctl->inputs.bytes - t->at)
		return NULL;
	at = feed.at[tid][kind];
	while ((in = record_at((const char *)f + t->at, t->bytes, at))) {
		at += in->bytes;
		if (is_answer(in, kind) && (!name || is_named(in, name))) {
			feed.at[tid][kind] = at;
			return in;
		}
	}
	return NULL;
}

static const struct record_input *take(unsigned int kind)
{
	return take_named(kind, NULL);
}

/* The step of a call that the log answers: it never waits. */
static uint32_t step(int fd)
{
	struct rt_op op = call_op(EVENT_IO, NULL, NULL);

	op.addr = (uint64_t)(int64_t)fd;
	io_step(&op, 0);
	return op.site;
}

static void set_error(const struct record_input *in)
{
	if (in->result < 0)
		errno = in->error;
}

/* ---- descriptors ---- */

bool feed_is(int fd)
{
	return feed_on() && fd >= 0 && fd < FDS && (feed.fds[fd / 64] >> (fd % 64) & 1);
}

void feed_mark(int fd)
{
	if (fd >= 0 && fd < FDS)
		feed.fds[fd / 64] |= UINT64_C(1) << (fd % 64);
}

void feed_closed(int fd)
{
	if (!feed_on() || fd < 0 || fd >= FDS)
		return;
	feed.fds[fd / 64] &= ~(UINT64_C(1) << (fd % 64));
	feed.watched[fd] = false;
}

/* Programs put descriptors into tables: the same number as then, when it is free. */
static int open_null(int wanted)
{
	int fd = (int)sys_call(SYS_open, (long)"/dev/null", O_RDWR, 0, 0, 0, 0), moved;

	if (fd < 0 || fd == wanted || wanted < 3 ||
	    sys_call(SYS_fcntl, wanted, F_GETFD, 0, 0, 0, 0) >= 0)
		return fd;
	moved = (int)sys_call(SYS_dup2, fd, wanted, 0, 0, 0, 0);
	if (moved < 0)
		return fd;
	sys_call(SYS_close, fd, 0, 0, 0, 0, 0);
	return moved;
}

/* ---- calls ---- */

bool feed_get(unsigned int kind, int fd, const struct iovec *to, int count, ssize_t *got)
{
	const struct record_input *in = feed_on() ? take(kind) : NULL;
	size_t n;
	uint32_t site;

	if (!in)
		return false;
	n = in->result > 0 && (uint64_t)in->result <= in->data ? (size_t)in->result : 0;
	site = step(fd);
	rec_event(EVENT_IO, site, (uint64_t)(int64_t)fd, (uint64_t)in->result, IO_READ);
	if (n > 0)
		user_scatter(to, count, data_of(in), n, site);
	*got = in->result;
	set_error(in);
	return true;
}

bool feed_put(unsigned int kind, int fd, const struct iovec *from, int count, ssize_t *put)
{
	const struct record_input *in;
	size_t n = 0;
	uint32_t site;

	if (!feed_on() || !feed_is(fd))
		return false;
	in = take(kind);
	for (int i = 0; i < count; i++)
		n += from[i].iov_len;
	*put = in && in->result <= (int64_t)n ? in->result : (ssize_t)n;
	site = step(fd);
	io_done(site, fd, *put, IO_WRITE);
	if (*put > 0)
		user_was_read(from, count, (size_t)*put, site);
	if (in)
		set_error(in);
	return true;
}

bool feed_accept(int fd, struct sockaddr *from, socklen_t *from_bytes, int *made)
{
	const struct record_input *in = feed_on() ? take(RECORD_IN_ACCEPT) : NULL;
	uint32_t site;

	if (!in)
		return false;
	site = step(fd);
	*made = in->result < 0 ? -1 : open_null((int)in->result);
	feed_mark(*made);
	rec_event(EVENT_IO, site, (uint64_t)(int64_t)fd, (uint64_t)(int64_t)*made, IO_ACCEPT);
	if (from && from_bytes && in->data > 0 && *made >= 0) {
		socklen_t n = in->data < *from_bytes ? (socklen_t)in->data : *from_bytes;

		user_write(from, data_of(in), n, site);
		*from_bytes = in->data;
	}
	set_error(in);
	return true;
}

/* What the call wrote, into memory of the program; one step with the event before. */
static bool answer(unsigned int kind, void *to, size_t n, int *ready)
{
	const struct record_input *in = feed_on() ? take(kind) : NULL;
	uint32_t site;

	if (!in)
		return false;
	site = step(-1);
	rec_event(EVENT_IO, site, 0, (uint64_t)in->result, IO_POLL);
	if (in->data > 0 && to)
		user_write(to, data_of(in), in->data < n ? in->data : n, site);
	*ready = (int)in->result;
	set_error(in);
	return true;
}

bool feed_poll(struct pollfd *fds, nfds_t count, int *ready)
{
	return answer(RECORD_IN_POLL, fds, count * sizeof(*fds), ready);
}

bool feed_select(fd_set *const sets[3], int *ready)
{
	const struct record_input *in = feed_on() ? take(RECORD_IN_SELECT) : NULL;
	uint32_t site;

	if (!in)
		return false;
	site = step(-1);
	rec_event(EVENT_IO, site, 0, (uint64_t)in->result, IO_POLL);
	for (size_t i = 0; i < 3; i++)
		if (sets[i] && in->data >= (i + 1) * sizeof(fd_set))
			user_write(sets[i], data_of(in) + i * sizeof(fd_set), sizeof(fd_set), site);
	*ready = (int)in->result;
	set_error(in);
	return true;
}

/* ---- epoll ---- */

void feed_watch(int operation, int on, const struct epoll_event *event)
{
	if (!feed_on() || on < 0 || on >= FDS)
		return;
	feed.watched[on] = operation != EPOLL_CTL_DEL;
	if (feed.watched[on])
		feed.data[on] = event->data.u64;
}

#define NO_POINTER 65536 /* below it, data is a number and stays what it was */

/* Pointers are others now: what the program has now for the descriptor that had that data then. */
static uint64_t data_now(uint64_t then)
{
	const struct wire_feed *f = head();
	const struct wire_feed_task *t;
	const struct record_input *in;
	uint64_t found = then;

	for (uint32_t i = 0; then >= NO_POINTER && (t = task_nth(f, i)); i++) {
		if (t->at > rt_ctl->inputs.bytes || t->bytes > rt_ctl->inputs.bytes - t->at)
			continue;
		for (uint64_t at = 0; (in = record_at((const char *)f + t->at, t->bytes, at));
		     at += in->bytes)
			if (in->kind == RECORD_IN_EPOLL_CTL && in->data == sizeof(then) &&
			    !memcmp(data_of(in), &then, sizeof(then)) && in->detail < FDS &&
			    feed.watched[in->detail])
				found = feed.data[in->detail];
	}
	return found;
}

bool feed_epoll(struct epoll_event *events, int max, int *ready)
{
	const struct record_input *in = feed_on() ? take(RECORD_IN_EPOLL_WAIT) : NULL;
	struct epoll_event e;
	uint32_t site;

	if (!in)
		return false;
	site = step(-1);
	rec_event(EVENT_IO, site, 0, (uint64_t)in->result, IO_POLL);
	for (int i = 0; i < max && i < in->result && (size_t)i < in->data / sizeof(e); i++) {
		memcpy(&e, data_of(in) + (size_t)i * sizeof(e), sizeof(e));
		e.data.u64 = data_now(e.data.u64);
		user_write(&events[i], &e, sizeof(e), site);
	}
	*ready = in->result < max ? (int)in->result : max;
	set_error(in);
	return true;
}

bool feed_value(unsigned int kind, void *to, size_t n, int64_t *result)
{
	const struct record_input *in = feed_on() ? take(kind) : NULL;

	if (!in)
		return false;
	if (to)
		memcpy(to, data_of(in), in->data < n ? in->data : n);
	*result = in->result;
	set_error(in);
	return in->data >= n;
}

/* ---- signals from outside ---- */

bool feed_signal(int *number)
{
	uint32_t outside = 0;
	int64_t result;

	if (!feed_value(RECORD_IN_SIGNAL, &outside, sizeof(outside), &result) || !outside ||
	    result <= 0 || result >= NSIG)
		return false;
	io_done(step(-1), 0, (ssize_t)result, IO_SIGNAL);
	*number = (int)result;
	return true;
}

/* A row of a handler has the number of no child, and its first record the signal. */
int feed_handled(uint32_t tid, uint32_t *row)
{
	const struct wire_feed *f = head();
	uint32_t task = f ? task_of(f, tid) : 0;
	const struct record_input *in;
	const struct wire_feed_task *t;

	while (task && (t = task_nth(f, *row))) {
		++*row;
		if (t->index != WIRE_FEED_HANDLER || t->creator != task - 1 ||
		    t->at > rt_ctl->inputs.bytes || t->bytes > rt_ctl->inputs.bytes - t->at)
			continue;
		in = record_at((const char *)f + t->at, t->bytes, 0);
		if (in && in->kind == RECORD_IN_SIGNAL && in->result > 0 && in->result < NSIG)
			return (int)in->result;
	}
	return 0;
}

/* ---- files ---- */

int feed_refusal(unsigned int kind, const char *path)
{
	const struct record_input *in = feed_on() ? take_named(kind, path) : NULL;

	return in && in->result < 0 ? in->error : 0;
}

/* The kept file of that name, in the log of the first thread. */
static const struct record_input *find_file(const char *path)
{
	const struct wire_feed *f = head();
	const struct wire_feed_task *t = f ? task_nth(f, 0) : NULL;
	const struct record_input *in;

	if (!t || t->at > rt_ctl->inputs.bytes || t->bytes > rt_ctl->inputs.bytes - t->at)
		return NULL;
	for (uint64_t at = 0;
	     (in = record_at((const char *)f + t->at, t->bytes, at)) && in->kind == RECORD_IN_FILE;
	     at += in->bytes)
		if (is_named(in, path))
			return in;
	return NULL;
}

static bool write_all(int fd, const unsigned char *from, size_t n)
{
	while (n > 0) {
		long put = sys_call3(SYS_write, fd, from, n);

		if (put <= 0)
			return false;
		from += put;
		n -= (size_t)put;
	}
	return true;
}

#define FILE_FD 700 /* out of the way: the program's descriptors have the numbers they had */

int feed_file(const char *path)
{
	const struct record_input *in = feed_on() && path ? find_file(path) : NULL;
	size_t name;
	int low, fd;

	if (!in)
		return -1;
	low = (int)sys_call3(SYS_memfd_create, "heddle", 0, 0);
	fd = low < 0 ? -1 : (int)sys_call3(SYS_fcntl, low, F_DUPFD_CLOEXEC, FILE_FD);
	if (low >= 0)
		sys_call3(SYS_close, low, 0, 0);
	name = strlen(path) + 1;
	if (fd >= 0 && write_all(fd, data_of(in) + name, in->data - name))
		return fd;
	feed_file_done(fd);
	return -1;
}

void feed_file_done(int fd)
{
	int saved = errno;

	if (fd >= 0)
		sys_call3(SYS_close, fd, 0, 0);
	errno = saved;
}

void feed_skip(unsigned int kind)
{
	if (feed_on())
		take(kind);
}
