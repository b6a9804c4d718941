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

#include "rt/hook/call.h"
#include "rt/hook/ident.h"
#include "rt/hook/random.h"
#include "rt/mem/heap.h"
#include "rt/mem/undo.h"
#include "rt/os/real.h"
#include "rt/rec/rec.h"
#include "rt/sched/obj.h"
#include "rt/sched/thread.h"

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

	if (!o || o->kind != OBJ_FUTEX) {
		o = obj_get(word, OBJ_FUTEX);
		obj_touch(o);
		o->owner = THREAD_NONE;
	}
	return o;
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
	if (__atomic_load_n(f->word, __ATOMIC_SEQ_CST) != f->value) {
		rec_event(EVENT_FUTEX_WAIT, op.site, op.addr, f->value, EAGAIN);
		return fail(EAGAIN);
	}
	rec_event(EVENT_FUTEX_WAIT, op.site, op.addr, f->value, 0);
	t->wake_reason = FUTEX_ASLEEP;
	op.value = f->bits;
	op.ready = woken;
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
	rec_event(EVENT_FUTEX_WAIT, op.site, op.addr, f->value,
		  step == STEP_TIMEOUT ? ETIMEDOUT : 1);
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
	wanted = f->value < asleep ? f->value : asleep;
	for (i = 0; i < wanted; i++) {
		/* Waking all of them leaves no choice. */
		uint32_t left = asleep - i;

		wake_one(f, wanted - i < left ? sched_pick(left) : 0);
	}
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
		rt_note("futex operation %d is not modelled", f.command);
		return fail(ENOSYS);
	}
}

RT_EXPORT long syscall(long number, ...)
{
	va_list args;
	long a[6];

	va_start(args, number);
	for (int i = 0; i < 6; i++)
		a[i] = va_arg(args, long);
	va_end(args);
	if (!rt_controlled())
		return REAL(syscall)(number, a[0], a[1], a[2], a[3], a[4], a[5]);
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
	default:
		undo_opaque(); /* the kernel may write anywhere */
		return REAL(syscall)(number, a[0], a[1], a[2], a[3], a[4], a[5]);
	}
}
