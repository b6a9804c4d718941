/* Who waits for whom: cycles of lock owners, and the state of every thread when a run ends. */
#include <string.h>

#include "rt/engine/engine.h"
#include "rt/engine/finish.h"
#include "rt/rec/rec.h"
#include "rt/sched/obj.h"
#include "rt/sched/state.h"

static bool asks_for_lock(const struct rt_op *op)
{
	switch (op->kind) {
	case EVENT_LOCK:
	case EVENT_RDLOCK:
	case EVENT_WRLOCK:
	case EVENT_SPIN_LOCK:
		return true;
	default:
		return false;
	}
}

static struct rt_thread *joined_thread(const struct rt_op *op)
{
	uint64_t offset = op->addr - (uint64_t)sched_threads;

	if (op->kind != EVENT_THREAD_JOIN || offset >= sizeof(sched_threads))
		return NULL;
	return &sched_threads[offset / sizeof(struct rt_thread)];
}

struct rt_thread *deadlock_holder(const struct rt_thread *t)
{
	const struct rt_obj *o;

	if (!t->op || t->state != THREAD_BLOCKED)
		return NULL;
	if (!asks_for_lock(t->op))
		return joined_thread(t->op);
	o = obj_find(t->op->addr);
	return o && o->owner != THREAD_NONE ? thread_by_tid(o->owner) : NULL;
}

bool deadlock_cycle(struct rt_thread *t)
{
	struct rt_thread *at = t;

	/* A request that can expire, or that a cancellation ends, breaks the cycle. */
	for (uint32_t i = 0; i < sched.thread_count; i++) {
		if (at->op->timed || (at->op->flags & OP_CANCEL && at->cancel_pending))
			return false;
		at = deadlock_holder(at);
		if (!at || at->state != THREAD_BLOCKED)
			return false;
		if (at == t)
			return true;
	}
	return false;
}

static uint32_t count_state(enum wire_thread_state state)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < sched.thread_count; i++)
		n += sched_threads[i].state == state;
	return n;
}

static uint32_t cycle_length(const struct rt_thread *t)
{
	uint32_t n = 0;
	const struct rt_thread *at = t;

	do {
		n++;
		at = deadlock_holder(at);
	} while (at && at != t && n <= sched.thread_count);
	return n;
}

void deadlock_report(struct rt_thread *t)
{
	uint32_t blocked = count_state(THREAD_BLOCKED), spinning = count_state(THREAD_SPINNING);

	if (t)
		rt_fail(FAILURE_DEADLOCK, t->op->site, t->op->addr, 0,
			"%u thread%s in a cycle of locks", cycle_length(t),
			cycle_length(t) == 1 ? "" : "s");
	for (uint32_t i = 0; i < sched.thread_count && !t; i++) {
		struct rt_thread *c = &sched_threads[i];

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

	return (f->kind == FAILURE_USE_AFTER_FREE || f->kind == FAILURE_DOUBLE_FREE) &&
	       t->op->site == f->site && t->op->addr == f->addr;
}

/* Where the threads stand; the operation of a thread that is running code is over. */
static void record_pending(void)
{
	for (uint32_t i = 0; i < sched.thread_count; i++) {
		const struct rt_thread *t = &sched_threads[i];
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
	}
}

void sched_export(void)
{
	struct wire_result *r = &rt_ctl->result;

	r->steps = sched.steps;
	r->clock = sched.clock;
	r->preemptions = sched.preemptions;
	r->threads = sched.thread_count;
	/* In a fast batch nobody looks at the threads of a clean run. */
	if (r->outcome == OUTCOME_CLEAN && !(rt_ctl->job.flags & JOB_EVENTS))
		return;
	for (uint32_t i = 0; i < sched.thread_count; i++)
		export_thread(&sched_threads[i], &rt_ctl->threads[i]);
	if (rec_details())
		record_pending();
}
