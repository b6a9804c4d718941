#include "guest/check/sched/fds.h"

#include <fcntl.h>
#include <string.h>
#include <sys/syscall.h>

#include "guest/check/mem/undo.h"
#include "guest/os/sys.h"
#include "guest/check/rec/rec.h"
#include "guest/check/sched/upcall.h"
#include "guest/check/rules.h"
#include "wire/fds_rules.h"

#define NS_MAX (UINT64_MAX / 2)

struct fds_world fds_world;
static struct fds_world trial; /* for asking what a call would do */
static unsigned char answer_bytes[FDS_CONTENT], trial_bytes[FDS_CONTENT];
static uint64_t taken[2];
static int taken_known;
static RT_RUN int released;

/* The same in every run of a process, and in its children. */
void fds_run_begin(void)
{
	if (taken_known)
		return;
	taken_known = 1;
	for (int fd = 0; fd < FDS_NUMBERS; fd++)
		if (sys_call(SYS_fcntl, fd, F_GETFD, 0, 0, 0, 0) >= 0)
			taken[fd / 64] |= UINT64_C(1) << fd % 64;
}

bool fds_modelled(int fd)
{
	return (unsigned int)fd < FDS_NUMBERS && fds_world.number[fd] &&
	       fds_world.number[fd] != FDS_REAL;
}

bool fds_covers(int fd)
{
	if (released || (unsigned int)fd >= FDS_NUMBERS || fds_world.number[fd] == FDS_REAL)
		return false;
	if (fds_world.number[fd])
		return true;
	if ((taken[fd / 64] & ~fds_world.gone[fd / 64]) >> fd % 64 & 1)
		return false;
	/* Opened in this run, by the kernel, or not open at all. */
	return sys_call(SYS_fcntl, fd, F_GETFD, 0, 0, 0, 0) < 0;
}

bool fds_knows(int fd)
{
	return !released && (unsigned int)fd < FDS_NUMBERS &&
	       (fds_world.number[fd] || fds_covers(fd) || taken[fd / 64] >> fd % 64 & 1);
}

bool fds_any(void)
{
	return !released && fds_world.files > 0;
}

bool fds_open_to_more(void)
{
	return !released;
}

bool fds_is_nonblocking(int fd)
{
	return fds_modelled(fd) && fds_world.file[fds_world.number[fd] - 1].flags & FDS_NONBLOCK;
}

bool fds_is_epoll(int fd)
{
	const struct fds_file *f;

	if (!fds_modelled(fd))
		return false;
	f = &fds_world.file[fds_world.number[fd] - 1];
	return f->in != FDS_NONE && fds_world.queue[f->in].kind == FDS_EPOLL;
}

/* ---- the step ---- */

static bool changes_nothing(const struct fds_call *c)
{
	return c->op == FDS_DO_POLL || c->op == FDS_DO_LOOK || c->op == FDS_DO_GETFL ||
	       c->op == FDS_DO_GETFD;
}

static void perform(const struct fds_request *r, struct fds_answer *a)
{
	size_t grows = r->call.op == FDS_DO_PUT ? r->call.n + 4 : 0;
	size_t touched = fds_size(&fds_world) + grows;

	RT_ASSERT(fds_size(&fds_world) <= sizeof(fds_world));
	a->bytes = answer_bytes;
	if (released) {
		*a = (struct fds_answer){.result = FDS_OUTSIDE, .bytes = answer_bytes};
		return;
	}
	if (!changes_nothing(&r->call))
		undo_touch(&fds_world, touched < sizeof(fds_world) ? touched : sizeof(fds_world));
	fds_do(&fds_world, &r->call, r->payload, a);
}

static bool would_go(struct rt_thread *t, const struct rt_op *op)
{
	const struct fds_request *r = op->data;
	struct fds_answer a = {.bytes = trial_bytes};

	if (released)
		return true;
	memcpy(&trial, &fds_world, fds_size(&fds_world));
	fds_do(&trial, &r->call, r->payload, &a);
	return a.result != FDS_BLOCKS;
}

static void record_bytes(uint32_t tid, uint32_t tix, const void *bytes, size_t n)
{
	for (size_t at = 0; at < n; at += 8) {
		struct wire_event e = {.site = SITE_NONE,
				       .tix = tix,
				       .tid = (uint16_t)tid,
				       .kind = EVENT_DATA,
				       .size = (uint8_t)(n - at < 8 ? n - at : 8)};

		memcpy(&e.value, (const char *)bytes + at, e.size);
		rec_raw(&e);
	}
}

static void record_call(const struct fds_request *r, uint32_t tid, uint32_t tix)
{
	record_bytes(tid, tix, &r->call, sizeof(r->call));
	record_bytes(tid, tix, r->payload, r->call.n);
}

void fds_record_pending(const struct rt_op *op, uint32_t tid, uint32_t tix)
{
	record_call(op->data, tid, tix);
}

static void record(const struct fds_request *r, const struct rt_op *op, const struct fds_answer *a)
{
	uint64_t shown = (uint32_t)r->call.fd | (uint64_t)(uint32_t)a->result << 32;

	rec_access(EVENT_FD, op->size, op->site, shown,
		   a->result == FDS_BLOCKS ? 1 : fds_outcome(a), r->call.op);
	if (rec_details())
		record_call(r, rt_current->tid, rt_current->next_tix - 1);
}

static bool makes_numbers(const struct fds_call *c)
{
	return (c->op >= FDS_DO_PIPE && c->op <= FDS_DO_EPOLL) || c->op == FDS_DO_DUP;
}

/*
 * The numbers that a call will give out are free in the model; those that the kernel has in use
 * (files opened in this run) are made known to the model first.
 */
static void claim_unknown(const struct fds_request *r, const struct rt_op *op)
{
	int from = r->call.op == FDS_DO_DUP ? (int)r->call.value : 0;
	int wanted = r->call.op <= FDS_DO_PAIR ? 2 : 1;

	for (int fd = from; makes_numbers(&r->call) && fd < FDS_NUMBERS && wanted > 0; fd++) {
		struct fds_request claim = {.call = {.op = FDS_DO_CLAIM, .fd = fd}};
		struct fds_answer a;

		if (fds_taken(&fds_world, &r->call, (uint32_t)fd))
			continue;
		if (sys_call(SYS_fcntl, fd, F_GETFD, 0, 0, 0, 0) < 0) {
			wanted--;
			continue;
		}
		memcpy(claim.call.taken, taken, sizeof(taken));
		perform(&claim, &a);
		record(&claim, op, &a);
	}
}

static bool is_cancellation_point(const struct fds_call *c)
{
	return c->op == FDS_DO_GET || c->op == FDS_DO_PUT || c->op == FDS_DO_POLL ||
	       c->op == FDS_DO_WAIT || c->op == FDS_DO_CLOSE;
}

static void expire_after(struct rt_op *op, int64_t ns)
{
	op->timed = 1;
	op->size = SYNC_TIMED;
	op->deadline = sched_now() + ((uint64_t)ns < NS_MAX ? (uint64_t)ns : NS_MAX);
}

void fds_step(struct fds_request *r, uint32_t site, int64_t timeout_ns, struct fds_answer *a)
{
	struct rt_op op = {.kind = EVENT_FD,
			   .flags = is_cancellation_point(&r->call) ? OP_CANCEL : 0,
			   .site = site,
			   .aux = r->call.op,
			   .addr = FDS_ADDRESS,
			   .value = (uint32_t)r->call.fd,
			   .ready = would_go,
			   .data = r};

	memcpy(r->call.taken, taken, sizeof(taken));
	if (timeout_ns > 0)
		expire_after(&op, timeout_ns);
	if (timeout_ns == 0)
		op.flags |= OP_YIELD;
	*a = (struct fds_answer){.result = FDS_BLOCKS};
	if (sched_step(&op) == STEP_GO) {
		cancel_point();
		claim_unknown(r, &op);
		perform(r, a);
	}
	if (a->result == FDS_BLOCKS && !op.timed)
		rt_trouble("a call on descriptor %d would block after all", r->call.fd);
	record(r, &op, a);
	sched_wake(FDS_ADDRESS);
}

void fds_at_once(struct fds_request *r, struct fds_answer *a)
{
	memcpy(r->call.taken, taken, sizeof(taken));
	perform(r, a);
	sched_wake(FDS_ADDRESS);
}

/* ---- giving it up ---- */

void fds_given_up(void)
{
	released = 1;
	sched_wake(FDS_ADDRESS);
}
