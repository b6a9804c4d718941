#include "guest/check/hook/system/feed_priv.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/syscall.h>

#include "guest/check/hook/call.h"
#include "guest/check/hook/memory/user.h"
#include "guest/check/hook/system/io.h"
#include "guest/check/mem/undo.h"
#include "guest/check/rec/rec.h"
#include "guest/check/sched/thread.h"
#include "guest/os/sys.h"

struct feed_run feed_run;
static RT_RUN bool begun;

const struct wire_feed *feed_head(void)
{
	const struct wire_feed *f;

	if (!rt_ctl || rt_ctl->inputs.bytes < sizeof(*f))
		return NULL;
	f = (const struct wire_feed *)((const char *)rt_ctl + rt_ctl->inputs.offset);
	if (f->magic != WIRE_FEED_MAGIC)
		return NULL;
	if (!begun)
		memset(&feed_run, 0, sizeof(feed_run));
	begun = true;
	return f;
}

bool feed_on(void)
{
	return feed_head() != NULL;
}

/* ---- whose log it is ---- */

const struct wire_feed_task *feed_task(const struct wire_feed *f, uint32_t n)
{
	const struct wire_feed_task *t = (const struct wire_feed_task *)(f + 1);
	uint64_t room = (rt_ctl->inputs.bytes - sizeof(*f)) / sizeof(*t);

	return n < f->tasks && n < room ? &t[n] : NULL;
}

/* Number of the task plus 1; 0 when there is none. */
static uint32_t find_task(const struct wire_feed *f, uint32_t creator, uint32_t index)
{
	const struct wire_feed_task *t;

	for (uint32_t i = 0; (t = feed_task(f, i)); i++)
		if (t->creator == creator && t->index == index)
			return i + 1;
	return 0;
}

uint32_t feed_task_of(const struct wire_feed *f, uint32_t tid)
{
	const struct rt_thread *t = thread_by_tid(tid);
	uint32_t creator;

	if (tid >= WIRE_FEED_THREADS || !t)
		return 0;
	if (feed_run.task[tid])
		return feed_run.task[tid];
	if (tid == 0) {
		feed_run.task[0] = 1;
	} else if (t->parent < tid) {
		creator = feed_task_of(f, t->parent);
		if (creator)
			feed_run.task[tid] = (uint16_t)find_task(f, creator - 1, t->child_index);
	}
	return feed_run.task[tid];
}

/* ---- records ---- */

/* The record at an offset of the thread's log, when all of it is there. */
const struct record_input *feed_record(const struct wire_feed_task *t, uint64_t at)
{
	const struct record_input *in;

	if (t->at > rt_ctl->inputs.bytes || t->bytes > rt_ctl->inputs.bytes - t->at ||
	    at > t->bytes || t->bytes - at < sizeof(*in))
		return NULL;
	in = (const struct record_input *)((const char *)feed_head() + t->at + at);
	if (in->bytes < sizeof(*in) || in->bytes > t->bytes - at || in->bytes % 8 ||
	    in->data > in->bytes - sizeof(*in))
		return NULL;
	return in;
}

const unsigned char *feed_data(const struct record_input *in)
{
	return (const unsigned char *)(in + 1);
}

static bool is_named(const struct record_input *in, const char *name)
{
	size_t n = strlen(name) + 1;

	return in->data >= n && memcmp(feed_data(in), name, n) == 0;
}

/*
 * Who is not executed again needs no answers; but a library that waits for the descriptors of
 * others calls again, and what it waits for comes from the log.
 */
bool feed_is_answer(const struct record_input *in, unsigned int kind)
{
	bool waits =
		kind == RECORD_IN_EPOLL_WAIT || kind == RECORD_IN_POLL || kind == RECORD_IN_SELECT;

	return in->kind == kind && !(in->flags & RECORD_INPUT_CUT) &&
	       (waits || !(in->flags & RECORD_INPUT_FOREIGN));
}

/* The next record of the kind, or the next with that name: those before it are passed over then. */
static const struct record_input *take_named(unsigned int kind, const char *name)
{
	const struct wire_feed *f = feed_head();
	uint32_t tid = rt_current->tid, number, at;
	const struct wire_feed_task *t;
	const struct record_input *in;

	if (!f || kind >= FEED_KINDS || !(number = feed_task_of(f, tid)) ||
	    !(t = feed_task(f, number - 1)))
		return NULL;
	at = feed_run.at[tid][kind];
	while ((in = feed_record(t, at))) {
		at += in->bytes;
		if (feed_is_answer(in, kind) && (!name || is_named(in, name))) {
			feed_run.at[tid][kind] = at;
			return in;
		}
	}
	return NULL;
}

const struct record_input *feed_take(unsigned int kind)
{
	return take_named(kind, NULL);
}

/* The step of a call that the log answers: it never waits. */
uint32_t feed_step(int fd)
{
	struct rt_op op = call_op(EVENT_IO, NULL, NULL);

	op.addr = (uint64_t)(int64_t)fd;
	io_step(&op, 0);
	return op.site;
}

void feed_error(const struct record_input *in)
{
	if (in->result < 0)
		errno = in->error;
}

/* ---- descriptors ---- */

bool feed_is(int fd)
{
	return feed_on() && fd >= 0 && fd < FEED_FDS && (feed_run.fds[fd / 64] >> (fd % 64) & 1);
}

void feed_mark(int fd)
{
	if (fd >= 0 && fd < FEED_FDS)
		feed_run.fds[fd / 64] |= UINT64_C(1) << (fd % 64);
}

void feed_closed(int fd)
{
	if (!feed_on() || fd < 0 || fd >= FEED_FDS)
		return;
	feed_run.fds[fd / 64] &= ~(UINT64_C(1) << (fd % 64));
	feed_run.watched[fd] = false;
}

/* Programs put descriptors into tables: the same number as then, when it is free. */
int feed_open_null(int wanted)
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
	const struct record_input *in = feed_on() ? feed_take(kind) : NULL;
	size_t n;
	uint32_t site;

	if (!in)
		return false;
	n = in->result > 0 && (uint64_t)in->result <= in->data ? (size_t)in->result : 0;
	site = feed_step(fd);
	rec_event(EVENT_IO, site, (uint64_t)(int64_t)fd, (uint64_t)in->result, IO_READ);
	if (n > 0)
		user_scatter(to, count, feed_data(in), n, site);
	*got = in->result;
	feed_error(in);
	return true;
}

bool feed_put(unsigned int kind, int fd, const struct iovec *from, int count, ssize_t *put)
{
	const struct record_input *in;
	size_t n = 0;
	uint32_t site;

	if (!feed_on() || !feed_is(fd))
		return false;
	in = feed_take(kind);
	for (int i = 0; i < count; i++)
		n += from[i].iov_len;
	*put = in && in->result <= (int64_t)n ? in->result : (ssize_t)n;
	site = feed_step(fd);
	io_done(site, fd, *put, IO_WRITE);
	if (*put > 0)
		user_was_read(from, count, (size_t)*put, site);
	if (in)
		feed_error(in);
	return true;
}

bool feed_value(unsigned int kind, void *to, size_t n, int64_t *result)
{
	const struct record_input *in = feed_on() ? feed_take(kind) : NULL;

	if (!in)
		return false;
	if (to)
		memcpy(to, feed_data(in), in->data < n ? in->data : n);
	*result = in->result;
	feed_error(in);
	return in->data >= n;
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
	const struct wire_feed *f = feed_head();
	const struct wire_feed_task *t = f ? feed_task(f, 0) : NULL;
	const struct record_input *in;

	if (!t)
		return NULL;
	for (uint64_t at = 0; (in = feed_record(t, at)) && in->kind == RECORD_IN_FILE;
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
	if (fd >= 0 && write_all(fd, feed_data(in) + name, in->data - name))
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
		feed_take(kind);
}
