#include "guest/stable/hook/outside.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include "guest/stable/msg.h"
#include "guest/stable/os.h"
#include "guest/stable/sched/nested.h"
#include "guest/stable/sched/sched.h"

/*
 * What is known of descriptors.  Only answers that let a thread stay in the schedule are kept: if
 * one were stale, the worst is a thread that blocks in the queue, so every call that makes another
 * descriptor of the number, or changes flags, clears it.
 */
#define KNOWN 4096
enum kind { KIND_UNKNOWN, KIND_REGULAR, KIND_NONBLOCKING };
static unsigned char kinds[KNOWN];

/*
 * The thread, if others may need its turn while it waits: the first thread alone keeps it.  Another
 * thread may be here before its maker has counted it.
 */
static struct sched_thread *inside(void)
{
	struct sched_thread *t = sched_self;
	return t && !t->bypass && (t->tid != 0 || sched.live > 1) ? t : NULL;
}

/* In a section it has left already, and is missed by whoever counts on it. */
static bool in_decided_section(void)
{
	return __builtin_expect(nested_on, 0) && sched_self && sched_self->pcs.depth;
}

static void leave(struct sched_thread *t)
{
	t->bypass = 1;
	msg_flag(STABLE_FLAG_NONDET);
	sched_nondet_wait(t);
	if (nested_on)
		nested_away(t->pc[0]);
	t->bypass = 0;
}

void outside_leave(void)
{
	struct sched_thread *t = inside();
	if (in_decided_section())
		nested_away(sched_self->pc[0]);
	else if (t)
		leave(t);
}

void outside_return_serial(void)
{
	struct sched_thread *t = inside();
	int saved = errno;
	if (!t || sched_state(t) != SCHED_NONDET)
		return;
	t->bypass = 1;
	sched_get_turn(t);
	sched_put_turn(t);
	t->bypass = 0;
	errno = saved;
}

void outside_forget(int fd)
{
	if (fd >= 0 && fd < KNOWN)
		kinds[fd] = KIND_UNKNOWN;
}

void outside_forget_all(void)
{
	for (int i = 0; i < KNOWN; i++)
		kinds[i] = KIND_UNKNOWN;
}

bool outside_is_memory(const struct stat *st)
{
	if (!S_ISCHR(st->st_mode) || major(st->st_rdev) != 1)
		return false;
	unsigned minor_number = minor(st->st_rdev);
	return minor_number == 3 || minor_number == 5 || (minor_number >= 7 && minor_number <= 9);
}

static enum kind ask_kind(int fd, const struct stat *of)
{
	/* Directories and block devices do not wait for anybody either. */
	if (S_ISREG(of->st_mode) || S_ISDIR(of->st_mode) || S_ISBLK(of->st_mode) ||
	    outside_is_memory(of))
		return KIND_REGULAR;
	long flags = sys_call3(SYS_fcntl, fd, F_GETFL, 0);
	return flags < 0 || (flags & O_NONBLOCK) ? KIND_NONBLOCKING : KIND_UNKNOWN;
}

bool outside_never_blocks(int fd)
{
	struct stat st;
	if (fd < 0 || (fd < KNOWN && kinds[fd] != KIND_UNKNOWN))
		return true;
	if (sys_call3(SYS_fstat, fd, &st, 0) != 0)
		return true;
	enum kind kind = ask_kind(fd, &st);
	if (fd < KNOWN)
		kinds[fd] = (unsigned char)kind;
	return kind != KIND_UNKNOWN;
}

void outside_leave_for_read(int fd)
{
	struct sched_thread *t = inside();
	if (in_decided_section() && !outside_never_blocks(fd))
		nested_away(sched_self->pc[0]);
	else if (t && !outside_never_blocks(fd))
		leave(t);
}

/* Where poll reports room, a write of at most PIPE_BUF bytes does not block. */
static bool has_room(int fd, size_t bytes)
{
	struct pollfd p = {.fd = fd, .events = POLLOUT};
	return bytes <= PIPE_BUF && sys_call3(SYS_poll, &p, 1, 0) == 1 && p.revents == POLLOUT;
}

void outside_leave_for_write(int fd, size_t bytes)
{
	struct sched_thread *t = inside();
	if (in_decided_section() && !outside_never_blocks(fd))
		nested_away(sched_self->pc[0]);
	else if (t && !outside_never_blocks(fd) && !has_room(fd, bytes))
		leave(t);
}
