/*
 * System calls by number: futex is modelled (C++20 atomic waits, std::future and hand-made locks
 * use it), the random source is ours, everything else goes to the kernel.
 *
 * A futex wait is FUTEX_WAIT when the word is compared (aux = 0, or the error when it does not
 * wait), and a second FUTEX_WAIT when the wait ends (aux = 1, or ETIMEDOUT).
 * rt_obj.waiters = threads asleep; a sleeper's op.value holds its bit set.
 */
#include <errno.h>
#include <limits.h>
#include <linux/futex.h>
#include <stdarg.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "guest/check/hook/call.h"
#include "guest/check/hook/system/fd_release.h"
#include "guest/check/hook/system/ident.h"
#include "guest/check/hook/sync/number.h"
#include "guest/check/hook/system/random.h"
#include "guest/check/hook/system/signals.h"
#include "guest/check/mem/heap.h"
#include "guest/check/mem/undo.h"
#include "guest/os/real.h"
#include "guest/check/rec/rec.h"
#include "guest/check/sched/obj.h"
#include "guest/check/sched/thread.h"

struct futex_call {
	uint32_t *word;
	int command;
	uint32_t value;
	const struct timespec *when;
	bool absolute;
	clockid_t clock;
	uint32_t bits;
};

enum futex_wake { FUTEX_ASLEEP, FUTEX_WOKEN };

static long fail(int number)
{
	errno = number;
	return -1;
}

static struct rt_obj *futex_obj(const void *word)
{
	struct rt_obj *o = obj_find((uintptr_t)word);

	return o && o->kind == OBJ_FUTEX ? o : obj_get(word, OBJ_FUTEX);
}

static bool woken(struct rt_thread *t, const struct rt_op *op)
{
	return t->wake_reason == FUTEX_WOKEN;
}

static void count_sleeper(const void *word, int change)
{
	struct rt_obj *o = futex_obj(word);

	obj_touch(o);
	o->waiters += (uint32_t)change;
}

static long futex_wait(const struct futex_call *f)
{
	struct rt_op op = call_op(EVENT_FUTEX_WAIT, f->word, NULL);
	struct rt_thread *t = rt_self();
	enum step_result step;

	if (f->bits == 0 || (f->when && !call_time_valid(f->when)))
		return fail(EINVAL);
	sched_step(&op);
	heap_check(f->word, sizeof(*f->word), op.site, false);
	if (!rule_futex_sleeps(__atomic_load_n(f->word, __ATOMIC_SEQ_CST), f->value)) {
		rec_event(EVENT_FUTEX_WAIT, op.site, op.addr, f->value, EAGAIN);
		return fail(EAGAIN);
	}
	rec_event(EVENT_FUTEX_WAIT, op.site, op.addr, f->value, 0);
	t->wake_reason = FUTEX_ASLEEP;
	op.value = f->bits;
	op.ready = woken;
	op.flags = OP_INTR;
	if (f->when && f->absolute)
		call_expires_at(&op, f->clock, f->when);
	else if (f->when)
		call_expires_after(&op, call_interval(f->when));
	count_sleeper(f->word, 1);
	step = sched_step(&op);
	if (t->wake_reason == FUTEX_WOKEN)
		step = STEP_GO;
	else
		count_sleeper(f->word, -1);
	rec_access(EVENT_FUTEX_WAIT, op.size, op.site, op.addr, f->value,
		  step == STEP_TIMEOUT ? ETIMEDOUT : 1);
	if (step == STEP_INTR) {
		signals_handle();
		return fail(EINTR);
	}
	return step == STEP_TIMEOUT ? fail(ETIMEDOUT) : 0;
}

static bool is_asleep_at(const struct rt_thread *t, uint64_t word, uint32_t bits)
{
	return call_is_parked(t) && t->op->ready == woken && t->op->addr == word &&
	       t->wake_reason == FUTEX_ASLEEP && (t->op->value & bits);
}

static uint32_t count_matching(uint64_t word, uint32_t bits)
{
	struct rt_thread *t;
	uint32_t n = 0;

	for (uint32_t tid = 0; (t = thread_by_tid(tid)) != NULL; tid++)
		n += is_asleep_at(t, word, bits);
	return n;
}

static void wake_one(const struct futex_call *f, uint32_t n)
{
	uint64_t word = (uintptr_t)f->word;
	struct rt_thread *t;

	for (uint32_t tid = 0; (t = thread_by_tid(tid)) != NULL; tid++) {
		if (!is_asleep_at(t, word, f->bits) || n-- > 0)
			continue;
		t->wake_reason = FUTEX_WOKEN;
		t->waker = rt_self()->tid;
		count_sleeper(f->word, -1);
		return;
	}
}

static long futex_wake(const struct futex_call *f)
{
	struct rt_op op = call_op(EVENT_FUTEX_WAKE, f->word, NULL);
	uint32_t asleep, wanted, i;

	if (f->bits == 0)
		return fail(EINVAL);
	sched_step(&op);
	asleep = futex_obj(f->word)->waiters ? count_matching(op.addr, f->bits) : 0;
	wanted = rule_wakes(asleep, f->value);
	for (i = 0; i < wanted; i++)
		wake_one(f, sched_pick(rule_wake_ways(asleep - i, wanted - i)));
	rec_event(EVENT_FUTEX_WAKE, op.site, op.addr, f->value, wanted);
	if (wanted)
		sched_wake(op.addr);
	return wanted;
}

static long futex(const long *a)
{
	int operation = (int)a[1];
	struct futex_call f = {
		.word = (uint32_t *)a[0],
		.command = operation & FUTEX_CMD_MASK,
		.value = (uint32_t)a[2],
		.when = (const struct timespec *)a[3],
		.clock = operation & FUTEX_CLOCK_REALTIME ? CLOCK_REALTIME : CLOCK_MONOTONIC,
		.bits = UINT32_MAX,
	};

	switch (f.command) {
	case FUTEX_WAIT_BITSET:
		f.absolute = true;
		f.bits = (uint32_t)a[5];
		return futex_wait(&f);
	case FUTEX_WAIT:
		return futex_wait(&f);
	case FUTEX_WAKE_BITSET:
		f.bits = (uint32_t)a[5];
		return futex_wake(&f);
	case FUTEX_WAKE:
		/* A negative count means one. */
		if ((int)f.value < 1)
			f.value = 1;
		return futex_wake(&f);
	default:
		rt_trouble("the program uses futex operation %d, which is not modelled", f.command);
	}
}

/* Nothing that another thread or the program's memory could notice. */
static bool is_harmless(long number)
{
	switch (number) {
	case SYS_getppid:
	case SYS_getuid:
	case SYS_geteuid:
	case SYS_getgid:
	case SYS_getegid:
	case SYS_ioprio_get:
	case SYS_ioprio_set:
		return true;
	case SYS_membarrier: /* a fence of all threads, which sequential consistency has anyway */
		return !wire_model_buffers(rt_ctl->job.model);
	default:
		return false;
	}
}

/* As the functions of these names; that their order may matter is not followed here. */
static long processors_by_number(long number, const long *a)
{
	if (rt_thread_count > 1)
		rt_unseen(sched_take_site(), "the system call number %ld", number);
	if (number == SYS_sched_setaffinity)
		return sched_setaffinity((pid_t)a[0], (size_t)a[1], (const cpu_set_t *)a[2]);
	if (sched_getaffinity((pid_t)a[0], (size_t)a[1], (cpu_set_t *)a[2]) != 0)
		return -1;
	return sizeof(unsigned long);
}

RT_EXPORT long syscall(long number, ...)
{
	va_list args;
	long a[6], result;

	va_start(args, number);
	for (int i = 0; i < 6; i++)
		a[i] = va_arg(args, long);
	va_end(args);
	if (!rt_controlled())
		return REAL(syscall)(number, a[0], a[1], a[2], a[3], a[4], a[5]);
	if (number_call(number, a, &result))
		return result;
	switch (number) {
	case SYS_futex:
		return futex(a);
	case SYS_getrandom:
		return random_fill((void *)a[0], (size_t)a[1]);
	case SYS_gettid:
		return ident_tid();
	case SYS_getpid:
		return IDENT_PID;
	case SYS_sched_yield:
		return sched_yield();
	case SYS_sched_setaffinity:
	case SYS_sched_getaffinity:
		return processors_by_number(number, a);
	case SYS_clone:
	case SYS_clone3:
	case SYS_fork:
	case SYS_vfork:
		rt_trouble("the program makes a thread or process with system call %ld", number);
	case SYS_io_uring_setup:
	case SYS_io_uring_enter:
	case SYS_io_uring_register:
		/* Queues in memory that the kernel shares: as on systems that do not have them. */
		rt_note("io_uring is not offered under control");
		return fail(ENOSYS);
	default:
		fd_release(rt_self()->last_site, "a system call by number");
		if (!is_harmless(number))
			rt_unseen(sched_take_site(), "the system call number %ld", number);
		undo_opaque(); /* the kernel may write anywhere */
		return REAL(syscall)(number, a[0], a[1], a[2], a[3], a[4], a[5]);
	}
}
