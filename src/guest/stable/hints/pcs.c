/* Performance-critical sections and the other hints. */
#include "heddle/stable.h"
#include "guest/stable/conf.h"
#include "guest/stable/hook/hook.h"
#include "guest/stable/msg.h"
#include "guest/stable/os.h"
#include "guest/stable/sched/nested.h"

static char quiet_place; /* threads that wait to enter together */

#define QUIET_LOOK 100 /* turns between two looks: whoever is outside needs the processor */
static uint64_t quiet_generation;

/* Everybody in the run queue wants to enter as well. */
static bool is_quiet(const struct sched_thread *t)
{
	for (const struct sched_thread *other = t->rq_next; other; other = other->rq_next) {
		if (!other->quiet)
			return false;
	}
	return true;
}

/*
 * Quiescent entry: wait until every other deterministic thread is blocked or wants to enter too, so
 * that a checker sees all sections that may overlap; then all enter together.
 */
static void enter_quiescent(struct sched_thread *t)
{
	uint64_t generation = quiet_generation;
	t->quiet = true;
	while (generation == quiet_generation && !is_quiet(t))
		sched_wait(t, &quiet_place, QUIET_LOOK);
	t->quiet = false;
	if (generation != quiet_generation)
		return;
	quiet_generation++;
	sched_broadcast(&quiet_place);
}

/* Deterministic: the thread leaves at a turn and returns a fixed number of turns later. */
static void enter_in_turn(struct sched_thread *t)
{
	sched_get_turn(t);
	if (conf.pcs_mode == CONF_PCS_QUIESCE)
		enter_quiescent(t);
	hook_log(t, STABLE_OP_PCS_ENTER, NULL, 0, 0);
	if (conf.pcs_exit) {
		sched_leave_until(t, sched.time + (uint64_t)conf.pcs_exit);
		return;
	}
	sched_put_turn(t);
	sched_nondet_begin(t);
}

HOOK_EXPORT void heddle_pcs_enter(void)
{
	struct sched_thread *t = sched_self;
	if (!conf.pcs || !t)
		return;
	if (t->pcs.depth++ > 0)
		return;
	if (t->bypass) {
		/* From a signal handler inside the runtime: nothing to leave. */
		t->pcs.depth--;
		return;
	}
	t->pc[0] = HOOK_CALLER;
	t->bypass = 1;
	sched_see_outside();
	msg_flag(STABLE_FLAG_PCS | STABLE_FLAG_NONDET);
	msg_loose(STABLE_LOOSE_SECTION, t->pc[0]);
	if (conf.pcs_exit || conf.pcs_mode == CONF_PCS_QUIESCE)
		enter_in_turn(t);
	else
		sched_nondet_begin(t);
}

HOOK_EXPORT void heddle_pcs_exit(void)
{
	struct sched_thread *t = sched_self;
	if (!conf.pcs || !t || t->pcs.depth == 0 || --t->pcs.depth > 0)
		return;
	t->bypass = 0;
	if (conf.pcs_exit && nested_on) {
		nested_end_section(t);
	} else if (conf.pcs_exit) {
		__atomic_store_n(&t->pcs.out, 1, __ATOMIC_RELEASE);
		os_futex_wake(&t->pcs.out, 1);
	}
}

HOOK_EXPORT void heddle_pcs_barrier_exit(void *key, int n)
{
	static struct {
		void *key;
		int arrived;
	} gather[16];
	heddle_pcs_exit();
	struct sched_thread *t = hook_begin(HOOK_CALLER, STABLE_OP_PCS_EXIT);
	if (!t || !conf.pcs) {
		if (t)
			hook_end(t);
		return;
	}
	int at = 0;
	while (at < 15 && gather[at].arrived && gather[at].key != key)
		at++;
	gather[at].key = key;
	if (++gather[at].arrived >= n) {
		gather[at].arrived = 0;
		sched_broadcast(&gather[at]);
		hook_log(t, STABLE_OP_PCS_EXIT, NULL, STABLE_RES_FULL, (uint32_t)n);
	} else {
		hook_wait(t, STABLE_OP_PCS_EXIT, &gather[at], 0);
	}
	hook_end(t);
}

HOOK_EXPORT void heddle_set_base_time(const struct timespec *base)
{
	struct sched_thread *t = sched_self;
	if (!t)
		return;
	t->times.base_set = base != NULL;
	if (base)
		t->times.base_ns = base->tv_sec * INT64_C(1000000000) + base->tv_nsec;
}

HOOK_EXPORT void heddle_set_base_timeval(const struct timeval *base)
{
	struct timespec time = {0, 0};
	if (base)
		time = (struct timespec){base->tv_sec, base->tv_usec * 1000};
	heddle_set_base_time(base ? &time : NULL);
}

HOOK_EXPORT void heddle_adhoc_yield(void)
{
	struct sched_thread *t = hook_begin(HOOK_CALLER, STABLE_OP_YIELD);
	if (!t) {
		os_yield();
		return;
	}
	hook_log(t, STABLE_OP_YIELD, NULL, 0, 0);
	t->keep.batch = SCHED_BATCH_MAX;
	hook_end(t);
}

HOOK_EXPORT void heddle_adhoc_set(volatile int *variable, int value)
{
	struct sched_thread *t = hook_begin(HOOK_CALLER, STABLE_OP_ADHOC_SET);
	__atomic_store_n(variable, value, __ATOMIC_SEQ_CST);
	if (!t) {
		hook_outside_wake((void *)(uintptr_t)variable, HOOK_CALLER, true);
		return;
	}
	uint32_t woken = sched_broadcast((void *)(uintptr_t)variable);
	hook_log(t, STABLE_OP_ADHOC_SET, NULL, 0, woken);
	hook_end(t);
}

HOOK_EXPORT void heddle_adhoc_wait(volatile int *variable, int value)
{
	struct sched_thread *t = hook_begin(HOOK_CALLER, STABLE_OP_ADHOC_WAIT);
	if (!t) {
		while (__atomic_load_n(variable, __ATOMIC_SEQ_CST) != value)
			os_yield();
		return;
	}
	while (__atomic_load_n(variable, __ATOMIC_SEQ_CST) != value)
		hook_wait(t, STABLE_OP_ADHOC_WAIT, (void *)(uintptr_t)variable, 0);
	hook_log(t, STABLE_OP_ADHOC_WAIT, NULL, 0, 0);
	hook_end(t);
}
