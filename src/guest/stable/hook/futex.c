/*
 * Futexes of the program: syscall(SYS_futex, …), which the C++ library (futures, latches, barriers,
 * semaphores, waits for atomics), GLib and others use for locks of their own.  Waits and wakes are
 * operations of the schedule, like those of a condition variable.  What such locks do by atomic
 * operations beside them is not: only a policy that lets one thread run at a time orders that, and
 * with others every such wait counts as loose.
 *
 * A futex in memory that is shared with other processes, and the forms with priorities, are left to
 * the kernel, outside the schedule.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/futex.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "guest/stable/hook/atomic.h"
#include "guest/stable/hook/hook.h"
#include "guest/stable/hook/init.h"
#include "guest/stable/hook/outside.h"
#include "guest/stable/msg.h"
#include "guest/stable/os.h"
#include "guest/stable/sched/policy.h"
#include "guest/stable/sched/waitq.h"
#include "guest/stable/stack.h"

#define MATCH_ANY UINT32_MAX
#define FRAMES 16

struct call {
	uint32_t *word;
	int op; /* with its flags */
	uint32_t value;
	long fourth; /* limit of a wait, else a count */
	uint32_t *other;
	uint32_t value3;
	uintptr_t caller;
};

static long answer(long result)
{
	if (result >= 0 || result < -4095)
		return result;
	errno = (int)-result;
	return -1;
}

static long original(const struct call *c)
{
	return sys_call(SYS_futex, (long)c->word, c->op, (long)c->value, c->fourth, (long)c->other,
			(long)c->value3);
}

/* Whether the word lies in memory that other processes may have as well. */
static bool in_shared_memory(const void *at)
{
	char text[4096];
	size_t kept = 0;
	int fd = os_open("/proc/self/maps", O_RDONLY, 0);
	bool shared = false;
	long n;
	if (fd < 0)
		return false;
	while ((n = sys_read(fd, text + kept, sizeof(text) - 1 - kept)) > 0) {
		char *line = text, *end;
		text[kept + (size_t)n] = 0;
		for (; (end = strchr(line, '\n')) != NULL; line = end + 1) {
			char *at_end;
			uintptr_t from = strtoul(line, &at_end, 16);
			uintptr_t to = strtoul(at_end + 1, &at_end, 16);
			if ((uintptr_t)at >= from && (uintptr_t)at < to)
				shared = at_end[4] == 's';
		}
		kept = strlen(line);
		memmove(text, line, kept);
	}
	sys_close(fd);
	return shared;
}

static bool is_wait(int op)
{
	return op == FUTEX_WAIT || op == FUTEX_WAIT_BITSET;
}

/* Turns until the limit of a wait, 0 = none. */
static uint64_t limit_of(struct sched_thread *t, const struct call *c)
{
	const struct timespec *limit = (const struct timespec *)c->fourth;
	if (!limit)
		return 0;
	if ((c->op & FUTEX_CMD_MASK) == FUTEX_WAIT)
		return hook_turns(limit);
	return hook_turns_until(t, c->op & FUTEX_CLOCK_REALTIME ? CLOCK_REALTIME : CLOCK_MONOTONIC,
				limit);
}

/* The first frame of the program itself: the C++ library waits in functions of its own. */
static uintptr_t site_of(const struct call *c)
{
	uint64_t pc[FRAMES];
	uint32_t count;
	if (ctl->loose[STABLE_LOOSE_FUTEX].count)
		return 0;
	count = stack_capture(c->caller, pc, FRAMES);
	for (uint32_t i = 0; i < count; i++) {
		if (stack_module_of(pc[i]) == 0)
			return pc[i];
	}
	return c->caller;
}

static bool has_changed(const struct call *c)
{
	return __atomic_load_n(c->word, __ATOMIC_SEQ_CST) != c->value;
}

static long wait_word(struct sched_thread *t, const struct call *c)
{
	void *addr = c->word;
	/* A last look, without the turn: what made it change needed none, unless atomics do. */
	if (!t->atomic.addr && has_changed(c)) {
		hook_leave(t);
		return -EAGAIN;
	}
	hook_turn(t, STABLE_OP_FUTEX_WAIT);
	if (!sched_policy->serial && !atomic_is_ordered(c->word))
		msg_loose(STABLE_LOOSE_FUTEX, site_of(c));
	sched_wait_prepare(t, addr);
	int result = has_changed(c) ? EAGAIN : 0;
	if (result == 0) {
		t->wait.bits = (c->op & FUTEX_CMD_MASK) == FUTEX_WAIT ? MATCH_ANY : c->value3;
		t->wait.interruptible = sched.handlers_break;
		result = hook_wait(t, STABLE_OP_FUTEX_WAIT, addr, limit_of(t, c));
		t->wait.interruptible = false;
	} else if (t->wait.prepared) {
		sched_wait_abandon(t, addr);
	}
	hook_log(t, STABLE_OP_FUTEX_WAIT, addr, result ? (uint16_t)result : STABLE_RES_RETURN, 0);
	hook_end(t);
	return -result;
}

/* With the turn: wakes the first waiters for which the wake is meant. */
static uint32_t wake_some(void *addr, uint32_t count, uint32_t bits)
{
	uint32_t woken = 0;
	struct sched_thread *next;
	for (struct sched_thread *w = waitq_first(addr); w && woken < count; w = next) {
		next = waitq_after(w);
		if (w->wait.kind != OBJ_FUTEX || !(w->wait.bits & bits))
			continue;
		sched_wake(w, 0);
		woken++;
	}
	return woken;
}

static long wake(struct sched_thread *t, const struct call *c)
{
	uint32_t bits = (c->op & FUTEX_CMD_MASK) == FUTEX_WAKE ? MATCH_ANY : c->value3;
	hook_turn(t, STABLE_OP_FUTEX_WAKE);
	uint32_t woken = wake_some(c->word, c->value, bits);
	hook_log(t, STABLE_OP_FUTEX_WAKE, c->word, 0, woken);
	/* Threads outside the schedule, and other processes, wait in the kernel. */
	long more = 0;
	if (woken < c->value && (sched.outside_seen || !(c->op & FUTEX_PRIVATE_FLAG))) {
		struct call rest = *c;
		rest.value = c->value - woken;
		more = original(&rest);
	}
	hook_end(t);
	return more < 0 ? more : (long)woken + more;
}

static long requeue(struct sched_thread *t, const struct call *c)
{
	hook_turn(t, STABLE_OP_FUTEX_REQUEUE);
	if ((c->op & FUTEX_CMD_MASK) == FUTEX_CMP_REQUEUE &&
	    __atomic_load_n(c->word, __ATOMIC_SEQ_CST) != c->value3) {
		hook_log(t, STABLE_OP_FUTEX_REQUEUE, c->word, EAGAIN, 0);
		hook_end(t);
		return -EAGAIN;
	}
	uint32_t done = wake_some(c->word, c->value, MATCH_ANY);
	struct sched_thread *next;
	long left = c->fourth;
	for (struct sched_thread *w = waitq_first(c->word); w && left > 0; w = next) {
		next = waitq_after(w);
		if (w->wait.kind != OBJ_FUTEX)
			continue;
		waitq_move(w, c->other);
		left--;
		done++;
	}
	long more = sched.outside_seen ? original(c) : 0;
	hook_log(t, STABLE_OP_FUTEX_REQUEUE, c->word, 0, done);
	hook_end(t);
	return (long)done + (more > 0 ? more : 0);
}

/* Outside the schedule: the kernel's, and waiters in the schedule look again. */
static long outside(const struct call *c)
{
	int op = c->op & FUTEX_CMD_MASK;
	long result = original(c);
	if (!is_wait(op) && init_is_active()) {
		sched_notify(c->word, true);
		if (op == FUTEX_WAKE_OP)
			sched_notify(c->other, true);
	}
	return result;
}

/* Another process, or the kernel's own rules, decide who goes on. */
static long left_to_kernel(struct sched_thread *t, const struct call *c)
{
	msg_loose(STABLE_LOOSE_SHARED, c->caller);
	hook_leave(t);
	int op = c->op & FUTEX_CMD_MASK;
	if (op != FUTEX_WAKE && op != FUTEX_WAKE_BITSET && op != FUTEX_UNLOCK_PI &&
	    op != FUTEX_WAKE_OP)
		outside_leave();
	return outside(c);
}

static long futex(const struct call *c)
{
	int op = c->op & FUTEX_CMD_MASK;
	struct sched_thread *t = hook_enter(c->caller);
	if (!t)
		return outside(c);
	if (is_wait(op)) {
		if (op == FUTEX_WAIT_BITSET && c->value3 == 0) {
			hook_leave(t);
			return -EINVAL;
		}
		bool foreign = !(c->op & FUTEX_PRIVATE_FLAG) && in_shared_memory(c->word);
		return foreign ? left_to_kernel(t, c) : wait_word(t, c);
	}
	if (op == FUTEX_WAKE || op == FUTEX_WAKE_BITSET)
		return wake(t, c);
	if (op == FUTEX_REQUEUE || op == FUTEX_CMP_REQUEUE)
		return requeue(t, c);
	return left_to_kernel(t, c);
}

/* Other calls go through; some wait for the outside, one is the end. */
static long other_call(long number, const long *a)
{
	if (number == SYS_exit_group)
		init_finish(true);
	if ((number == SYS_io_uring_enter && a[2] > 0) || (number == SYS_io_getevents && a[1] > 0))
		outside_leave();
	long result = sys_call(number, a[0], a[1], a[2], a[3], a[4], a[5]);
	outside_return();
	return result;
}

/* Tolerates everything that the wrappers do. */
HOOK_EXPORT long syscall(long number, ...)
{
	long a[6];
	va_list args;
	va_start(args, number);
	for (int i = 0; i < 6; i++)
		a[i] = va_arg(args, long);
	va_end(args);
	if (number != SYS_futex)
		return answer(other_call(number, a));
	struct call c = {.word = (uint32_t *)a[0],
			 .op = (int)a[1],
			 .value = (uint32_t)a[2],
			 .fourth = a[3],
			 .other = (uint32_t *)a[4],
			 .value3 = (uint32_t)a[5],
			 .caller = HOOK_CALLER};
	return answer(futex(&c));
}
