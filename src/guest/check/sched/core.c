#include "guest/check/sched/frame.h"
#include "guest/check/sched/core.h"

#include <string.h>

#include "guest/check/engine/engine.h"
#include "guest/check/engine/finish.h"
#include "guest/check/sched/upcall.h"
#include "guest/check/mem/buffer.h"
#include "guest/check/mem/undo.h"
#include "guest/os/sys.h"
#include "guest/check/rec/rec.h"
#include "guest/check/sched/memory.h"
#include "guest/check/sched/spin.h"
#include "guest/check/sched/state.h"

#define IO_CHECK_STEPS 256 /* how often a busy program looks at its descriptors */
#define IO_SLEEP_NS 200000
#define CLOCK_READ_NS 10000 /* virtual time of reading the clock, so that polling loops end */
#define LONGEST_STRETCH 10000 /* steps in a row after which a thread counts as yielding */

RT_RUN struct sched_state sched;
/* Object of the last synchronisation operation: its effect is complete at the next step. */
static RT_RUN uint64_t changed_object;

/* ---- readiness ---- */

enum readiness {
	READY,
	DRAINING, /* only its own stores, on their way to memory, are in front of it */
	WAITING,
};

static enum readiness readiness_of(struct rt_thread *t)
{
	const struct rt_op *op = t->op;
	bool wanted = ((op->flags & OP_CANCEL) && t->cancel_pending && !t->cancel_disabled) ||
		      unlikely(thread_interrupted(t));

	if (op->ready && !wanted && !op->ready(t, op))
		return WAITING;
	if (wire_model_buffers(sched.model) && t->buffer->count &&
	    (!(op->flags & OP_NO_DRAIN) || t->buffer->fenced))
		return DRAINING;
	return READY;
}

void sched_refresh(struct rt_thread *t)
{
	const struct rt_op *op = t->op;
	enum readiness now = readiness_of(t);
	uint32_t slot = t->slot;

	/* The last one to end runs what atexit() was given, after its end. */
	RT_ASSERT(sched.live == 0 || (sched.by_slot[slot] == t && set_has(&sched.busy, slot)));
	RT_ASSERT(sched.live == 0 || (t->state != THREAD_FINISHED && t->state != THREAD_GONE));
	set_put(&sched.enabled, slot, now == READY);
	set_put(&sched.timed, slot, now == WAITING && op->timed);
	set_put(&sched.spurious, slot, now != DRAINING && op->spurious != NULL);
	set_put(&sched.io, slot, now == WAITING && (op->flags & OP_IO));
	if (now != WAITING)
		t->state = THREAD_PARKED;
	else
		t->state = op->kind == EVENT_SPIN_PARK ? THREAD_SPINNING : THREAD_BLOCKED;
	RT_ASSERT(!set_has(&sched.enabled, slot) || !set_has(&sched.timed, slot));
}

void sched_wake(uint64_t addr)
{
	SET_EACH(&sched.busy, slot) {
		struct rt_thread *t = sched.by_slot[slot];

		if (t != rt_current && t->op && t->op->addr == addr && t->op->ready &&
		    t->state != THREAD_FINISHED)
			sched_refresh(t);
	}
	/* Who has tried in vain may try again. */
	memory_changed();
}

/* Also those that could go on: what they wanted may just have been taken. */
void sched_wake_io(void)
{
	SET_EACH(&sched.busy, slot) {
		struct rt_thread *t = sched.by_slot[slot];

		if (t != rt_current && t->op && (t->op->flags & OP_IO) && t->op->ready &&
		    t->state != THREAD_FINISHED)
			sched_refresh(t);
	}
}

/* ---- nothing to do ---- */

static uint64_t earliest_deadline(void)
{
	uint64_t earliest = UINT64_MAX;

	SET_EACH(&sched.timed, slot) {
		uint64_t deadline = sched.by_slot[slot]->op->deadline;

		earliest = deadline < earliest ? deadline : earliest;
	}
	return earliest;
}

static void refresh_io_waiters(void)
{
	if (hook_signals_came)
		hook_take_signals();
	SET_EACH(&sched.io, slot)
		sched_refresh(sched.by_slot[slot]);
}

void sched_idle_wait(void)
{
	/* A lone run may wait for its user as long as it likes; in a batch that is a hang. */
	if (engine_is_once())
		rt_ctl->heartbeat++;
	sys_sleep_ns(IO_SLEEP_NS);
}

/* Only descriptors and clocks can wake anybody: real time passes until one of them does. */
static void wait_outside(void)
{
	uint64_t start = sys_monotonic_ns();

	/* How long it takes is not what the program's clocks show: that would differ every time. */
	for (;;) {
		refresh_io_waiters();
		if (set_any(&sched.enabled) ||
		    sched.clock + (sys_monotonic_ns() - start) >= earliest_deadline())
			return;
		sched_idle_wait();
	}
}

/* Makes sure that there is an action to choose, or ends the run. */
static void ensure_action(void)
{
	if (unlikely(set_any(&sched.io)) && sched.steps % IO_CHECK_STEPS == 0)
		refresh_io_waiters();
	if (likely(set_any(&sched.enabled)) || set_any(&sched.buffered))
		return;
	if (set_any(&sched.io))
		wait_outside();
	else if (!set_any(&sched.timed) && !deadlock_wait_outside())
		deadlock_report(NULL);
}

/* ---- the step ---- */

/* An acquisition takes readiness away from others, so they are asked again in any case. */
static void settle_last_effect(void)
{
	if (changed_object) {
		sched_wake(changed_object);
		changed_object = 0;
	}
}

/*
 * A wait expires.  Time goes on by its whole length: what the clock shows then follows from what it
 * showed before and from the wait alone, which is what an exhaustive search can work out.
 */
static void let_time_pass(struct rt_thread *t)
{
	const struct rt_op *op = t->op;

	RT_ASSERT(op->timed);
	t->clock_from = sched.clock;
	if (op->interval)
		sched.clock += op->interval;
	else if (sched.clock < op->deadline)
		sched.clock = op->deadline;
	t->clock_to = sched.clock;
	t->clock_due = 1;
	RT_ASSERT(t->clock_from <= t->clock_to);
}

/* The strategy answers with something that is possible. */
static void check_action(const struct action *a)
{
	const struct rt_thread *t = a->thread;

	RT_ASSERT(t != NULL && t->op != NULL && sched.by_slot[t->slot] == t);
	if (a->kind == CHOICE_RUN)
		RT_ASSERT(set_has(&sched.enabled, t->slot));
	else if (a->kind == CHOICE_TIMEOUT)
		RT_ASSERT(set_has(&sched.timed, t->slot));
	else if (a->kind == CHOICE_SPURIOUS)
		RT_ASSERT(set_has(&sched.spurious, t->slot) && t->op->spurious != NULL);
	else
		RT_ASSERT(a->kind == CHOICE_FLUSH && set_has(&sched.buffered, t->slot));
}

/* Chooses and performs actions until one of them is for a thread; returns that thread. */
static struct rt_thread *next_thread(void)
{
	struct action a;

	sched.choosing = 1;
	for (;;) {
		ensure_action();
		sched.strategy->choose(&a);
		check_action(&a);
		if (sched.note)
			sched.note(&a);
		rec_choice(a.kind, a.thread->tid, a.kind == CHOICE_FLUSH ? a.arg : 1);
		if (a.kind == CHOICE_FLUSH)
			memory_commit(a.thread, a.arg);
		else if (a.kind == CHOICE_SPURIOUS)
			a.thread->op->spurious(a.thread);
		else
			break;
	}
	sched.choosing = 0;
	a.thread->resume = STEP_GO;
	if (a.kind == CHOICE_TIMEOUT) {
		a.thread->resume = STEP_TIMEOUT;
		/* It runs: from now on its operation is a left-over. */
		a.thread->state = THREAD_PARKED;
		let_time_pass(a.thread);
	}
	set_remove(&sched.timed, a.thread->slot);
	set_remove(&sched.io, a.thread->slot);
	set_remove(&sched.spurious, a.thread->slot);
	set_remove(&sched.spinning, a.thread->slot);
	return a.thread;
}

static void count_step(void)
{
	if (unlikely(hook_signals_came))
		hook_take_signals();
	rt_ctl->heartbeat++;
	if (unlikely(++sched.steps > sched.max_steps))
		finish_outcome(OUTCOME_LIMIT, "%lu steps", sched.max_steps);
}

static enum step_result step_once(struct rt_thread *t, struct rt_op *op)
{
	struct rt_thread *next;

	RT_ASSERT(t != NULL && !sched.choosing);
	RT_ASSERT(t->state != THREAD_FINISHED || sched.live == 0);
	t->op = op;
	t->last_site = op->site;
	if (unlikely(rec_details()))
		frame_note(op);
	if (t->spin_on && !spin_allows(op))
		t->spin_on = 0;
	/* A busy wait that counts its rounds is not recognised as a spin loop; let others go on. */
	if (unlikely(++sched.stretch % LONGEST_STRETCH == 0))
		op->flags |= OP_YIELD;
	count_step();
	settle_last_effect();
	sched_refresh(t);
	/* Who wants to know all that threads do lets the others go on. */
	if (t->state == THREAD_BLOCKED && !(rt_ctl->job.flags & JOB_DETAILS) && deadlock_cycle(t))
		deadlock_report(t);
	next = next_thread();
	if (next != t) {
		sched.preemptions += set_has(&sched.enabled, t->slot);
		sched.stretch = 0;
		rt_current = next;
		engine_switch(t->place, next->place);
	}
	/* Exactly one thread runs, and it is the one whose operation was chosen. */
	RT_ASSERT(rt_current == t && t->op == op);
	if (op->kind >= EVENT_LOCK && op->kind <= EVENT_FUTEX_WAKE)
		changed_object = op->addr;
	return t->resume;
}

enum step_result sched_step(struct rt_op *op)
{
	struct rt_thread *t = rt_current;

	for (;;) {
		enum step_result result = step_once(t, op);

		if (likely(!thread_interrupted(t)) || result == STEP_TIMEOUT)
			return result;
		if (op->flags & OP_INTR)
			return STEP_INTR;
		hook_signals();
	}
}

void sched_leave(void)
{
	struct rt_thread *t = rt_current, *next;

	RT_ASSERT(t->state == THREAD_FINISHED || t->state == THREAD_GONE);
	settle_last_effect();
	next = next_thread();
	RT_ASSERT(next != t);
	rt_current = next;
	engine_switch_last(t->place, next->place);
}

uint32_t sched_pick(uint32_t n)
{
	uint32_t choice = n > 1 ? sched.strategy->pick(n) : 0;

	RT_ASSERT(n > 0 && choice < n);
	if (n > 1)
		rec_choice(CHOICE_PICK, rt_current->tid, choice);
	return choice;
}

void sched_mark(enum event_kind kind, uint32_t site, uint64_t addr, uint64_t value, uint32_t aux)
{
	struct rt_op op = { .kind = (uint8_t)kind, .site = site, .addr = addr, .value = value,
			    .aux = aux };

	if (kind == EVENT_YIELD)
		op.flags = OP_NO_DRAIN | OP_YIELD;
	sched_step(&op);
	rec_event(kind, site, addr, value, aux);
}

void sched_drain(uint32_t site)
{
	struct rt_op op = { .kind = EVENT_FENCE, .site = site };

	if (rt_current->buffer->count)
		sched_step(&op);
}

void sched_exit_point(void)
{
	struct rt_op op = { .kind = EVENT_EXIT, .site = rt_current->last_site };

	if (sched.live > 1)
		sched_step(&op);
}

bool sched_alone(void)
{
	return rt_thread_count - sched.joined <= 1;
}

void sched_joined(void)
{
	sched.joined++;
	RT_ASSERT(sched.joined < rt_thread_count);
}

uint32_t sched_take_site(void)
{
	uint32_t site = rt_current->at_site;

	rt_current->at_site = SITE_NONE;
	rt_current->at_sp = 0;
	return site;
}

/* ---- time ---- */

static uint64_t read_clock(void)
{
	/* The time of day is new each time: a loop that looks at it is not idle. */
	if (rt_current)
		rt_current->spin_on = 0;
	sched.clock += CLOCK_READ_NS;
	return sched.clock;
}

uint64_t sched_now(void)
{
	return sched.clock;
}

uint64_t sched_clock_real(void)
{
	return SCHED_EPOCH_NS + read_clock();
}

uint64_t sched_clock_mono(void)
{
	return SCHED_BOOT_NS + read_clock();
}
