/* Nobody can go on: why, and the state of every thread when a run ends. */
#include <string.h>

#include "guest/check/engine/engine.h"
#include "guest/check/engine/finish.h"
#include "guest/check/engine/outsider.h"
#include "guest/check/sched/upcall.h"
#include "guest/os/sys.h"
#include "guest/check/rec/rec.h"
#include "guest/check/sched/fds.h"
#include "guest/check/sched/state.h"

static uint32_t count_state(enum wire_thread_state state)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < rt_thread_count; i++)
		n += rt_threads[i].state == state;
	return n;
}

/* ---- waiting for somebody outside ---- */

#define PATIENCE_NS UINT64_C(1000000000)

/* Waits that a value in memory or a token ends, which handlers and others outside can bring. */
static bool waits_for_anybody(const struct rt_thread *t)
{
	return t->state == THREAD_SPINNING ||
	       (t->state == THREAD_BLOCKED &&
		(t->op->kind == EVENT_SEM_WAIT || t->op->kind == EVENT_FUTEX_WAIT));
}

static const char *who_is_outside(void)
{
	const char *who = outsider_alive();

	for (uint32_t i = 0; i < rt_thread_count && !who; i++)
		if (waits_for_anybody(&rt_threads[i]))
			who = hook_who_is_outside();
	return who;
}

static void refresh_all(void)
{
	if (hook_signals_came)
		hook_take_signals();
	SET_EACH(&sched.busy, slot)
		if (sched.by_slot[slot]->state != THREAD_FINISHED)
			sched_refresh(sched.by_slot[slot]);
}

bool deadlock_wait_outside(void)
{
	uint64_t end = sys_monotonic_ns() + PATIENCE_NS;
	const char *who;

	for (;;) {
		/* Asked first: what they did before they went is seen afterwards. */
		who = who_is_outside();
		refresh_all();
		if (set_any(&sched.enabled)) {
			rt_unseen(SITE_NONE, "%s changed what a thread waits for",
				  who ? who : "somebody outside");
			return true;
		}
		if (!who)
			return false;
		if (sys_monotonic_ns() > end && !engine_is_once()) {
			rt_unseen(SITE_NONE, "threads wait for something that %s may bring", who);
			finish_outcome(OUTCOME_LIMIT, "waiting for %s", who);
		}
		sched_idle_wait();
	}
}

static uint32_t cycle_length(const struct rt_thread *t)
{
	uint32_t n = 0;
	const struct rt_thread *at = t;

	do {
		n++;
		at = deadlock_holder(at);
	} while (at && at != t && n <= rt_thread_count);
	return n;
}

void deadlock_report(struct rt_thread *t)
{
	uint32_t blocked = count_state(THREAD_BLOCKED), spinning = count_state(THREAD_SPINNING);

	if (t)
		rt_fail(FAILURE_DEADLOCK, t->op->site, t->op->addr, 0,
			"%u thread%s in a cycle of locks", cycle_length(t),
			cycle_length(t) == 1 ? "" : "s");
	for (uint32_t i = 0; i < rt_thread_count && !t; i++) {
		struct rt_thread *c = &rt_threads[i];

		if (c->state == (spinning ? THREAD_SPINNING : THREAD_BLOCKED))
			t = c;
	}
	/* The report speaks of the thread that waits, not of the one that ran last. */
	rt_current = t ? t : rt_current;
	if (spinning)
		rt_fail(FAILURE_LIVELOCK, rt_current->op->site, rt_current->op->addr, 0,
			"%u thread(s) spin on values that nobody will change, %u blocked", spinning,
			blocked);
	rt_fail(FAILURE_DEADLOCK, rt_current->op->site, rt_current->op->addr, 0,
		"no thread can go on: %u blocked", blocked);
}

static void export_thread(const struct rt_thread *t, struct wire_thread *w)
{
	const struct rt_thread *holder = deadlock_holder(t);

	memset(w, 0, sizeof(*w));
	w->tid = t->tid;
	w->parent = t->parent;
	w->state = t->state;
	w->pending_site = SITE_NONE;
	w->create_site = t->create_site;
	w->waits_for = holder ? holder->tid : THREAD_NONE;
	w->child_index = t->child_index;
	w->start = (uint64_t)t->start;
	w->events = t->next_tix;
	memcpy(w->name, t->name, sizeof(w->name));
	if (t == rt_current && t->state == THREAD_PARKED) {
		/* It runs: the operation it stood at is over, only its place is known. */
		w->pending_site = t->last_site;
	} else if (t->op && t->state != THREAD_FINISHED && t->state != THREAD_GONE) {
		w->pending_kind = t->op->kind;
		w->pending_site = t->op->site;
		w->pending_addr = t->op->addr;
	}
	for (uint32_t i = 0; i < t->held_count && i < WIRE_MAX_HELD; i++) {
		w->held[i].addr = t->held[i].addr;
		w->held[i].site = t->held[i].site;
		w->held[i].kind = t->held[i].kind;
		w->held_count++;
	}
}

/* It failed in the very operation it was about to perform: a heap check, for instance. */
static bool stands_at_misuse(const struct rt_thread *t)
{
	const struct wire_failure *f = &rt_ctl->result.failure;

	return (f->kind == FAILURE_USE_AFTER_FREE || f->kind == FAILURE_DOUBLE_FREE ||
		f->kind == FAILURE_SYNC_MISUSE) &&
	       t->op->site == f->site && t->op->addr == f->addr;
}

/* Where the threads stand; the operation of a thread that is running code is over. */
static void record_pending(void)
{
	for (uint32_t i = 0; i < rt_thread_count; i++) {
		const struct rt_thread *t = &rt_threads[i];
		struct wire_event e = { .tid = t->tid, .tix = t->next_tix, .kind = EVENT_PENDING };

		if (t->state == THREAD_FINISHED || t->state == THREAD_GONE || !t->op ||
		    (t == rt_current && !sched.choosing && !stands_at_misuse(t)))
			continue;
		/* The failure was logged as an event of its own. */
		e.tix -= t == rt_current && rt_ctl->result.outcome == OUTCOME_FAILURE;
		e.addr = t->op->addr;
		e.value = t->op->value;
		e.site = t->op->site;
		e.aux = t->op->kind | t->op->aux << 8;
		e.size = t->op->size;
		rec_raw(&e);
		if (t->op->kind == EVENT_FD)
			fds_record_pending(t->op, e.tid, e.tix);
	}
}

void sched_export(void)
{
	struct wire_result *r = &rt_ctl->result;

	r->steps = sched.steps;
	r->clock = sched.clock;
	r->preemptions = sched.preemptions;
	r->threads = rt_thread_count;
	/* In a fast batch nobody looks at the threads of a clean run. */
	if (r->outcome == OUTCOME_CLEAN && !(rt_ctl->job.flags & JOB_EVENTS))
		return;
	for (uint32_t i = 0; i < rt_thread_count; i++)
		export_thread(&rt_threads[i], &rt_ctl->threads[i]);
	if (rec_details())
		record_pending();
}
