#include "rt/sched/core.h"

#include <string.h>

#include "rt/engine/engine.h"
#include "rt/engine/finish.h"
#include "rt/mem/buffer.h"
#include "rt/mem/undo.h"
#include "rt/os/sys.h"
#include "rt/rec/rec.h"
#include "rt/sched/memory.h"
#include "rt/sched/spin.h"
#include "rt/sched/state.h"

#define IO_CHECK_STEPS 256 /* how often a busy program looks at its descriptors */
#define IO_SLEEP_NS 200000
#define STEP_NS 100	   /* virtual time of one step */
#define CLOCK_READ_NS 10000 /* …and of reading the clock, so that polling loops end */
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
	bool wanted = (op->flags & OP_CANCEL) && t->cancel_pending && !t->cancel_disabled;

	if (op->ready && !wanted && !op->ready(t, op))
		return WAITING;
	if (sched.model != MODEL_SC && t->buffer->count &&
	    (!(op->flags & OP_NO_DRAIN) || t->buffer->fenced))
		return DRAINING;
	return READY;
}

void sched_refresh(struct rt_thread *t)
{
	const struct rt_op *op = t->op;
	enum readiness now = readiness_of(t);
	uint32_t slot = t->slot;

	set_put(&sched.enabled, slot, now == READY);
	set_put(&sched.timed, slot, now == WAITING && op->timed);
	set_put(&sched.io, slot, now == WAITING && (op->flags & OP_IO));
	if (now != WAITING)
		t->state = THREAD_PARKED;
	else
		t->state = op->kind == EVENT_SPIN_PARK ? THREAD_SPINNING : THREAD_BLOCKED;
}

void sched_wake(uint64_t addr)
{
	SET_EACH(&sched.busy, slot) {
		struct rt_thread *t = sched.by_slot[slot];

		if (t != rt_current && t->op && t->op->addr == addr && t->op->ready &&
		    t->state != THREAD_FINISHED)
			sched_refresh(t);
	}
}

void sched_wake_io(void)
{
	SET_EACH(&sched.io, slot)
		if (sched.by_slot[slot] != rt_current)
			sched_refresh(sched.by_slot[slot]);
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
	uint64_t start = sys_monotonic_ns(), clock = sched.clock;

	for (;;) {
		refresh_io_waiters();
		sched.clock = clock + (sys_monotonic_ns() - start);
		if (set_any(&sched.enabled) || sched.clock >= earliest_deadline())
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
	else if (!set_any(&sched.timed))
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

/* Chooses and performs actions until one of them is for a thread; returns that thread. */
static struct rt_thread *next_thread(void)
{
	struct action a;

	sched.choosing = 1;
	for (;;) {
		ensure_action();
		sched.strategy->choose(&a);
		rec_choice(a.kind, a.thread->tid, a.kind == CHOICE_FLUSH ? a.arg : 1);
		if (a.kind != CHOICE_FLUSH)
			break;
		memory_commit(a.thread, a.arg);
	}
	sched.choosing = 0;
	a.thread->resume = STEP_GO;
	if (a.kind == CHOICE_TIMEOUT) {
		a.thread->resume = STEP_TIMEOUT;
		if (sched.clock < a.thread->op->deadline)
			sched.clock = a.thread->op->deadline;
	}
	set_remove(&sched.timed, a.thread->slot);
	set_remove(&sched.io, a.thread->slot);
	set_remove(&sched.spinning, a.thread->slot);
	return a.thread;
}

static void count_step(void)
{
	rt_ctl->heartbeat++;
	sched.clock += STEP_NS;
	if (unlikely(++sched.steps > sched.max_steps))
		finish_outcome(OUTCOME_LIMIT, "%lu steps", sched.max_steps);
}

enum step_result sched_step(struct rt_op *op)
{
	struct rt_thread *t = rt_current, *next;

	t->op = op;
	t->last_site = op->site;
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
	if (op->kind >= EVENT_LOCK && op->kind <= EVENT_FUTEX_WAKE)
		changed_object = op->addr;
	return t->resume;
}

void sched_leave(void)
{
	struct rt_thread *t = rt_current, *next;

	settle_last_effect();
	next = next_thread();
	rt_current = next;
	engine_switch_last(t->place, next->place);
}

uint32_t sched_pick(uint32_t n)
{
	uint32_t choice = n > 1 ? sched.strategy->pick(n) : 0;

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

uint32_t sched_take_site(void)
{
	uint32_t site = rt_current->at_site;

	rt_current->at_site = SITE_NONE;
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
