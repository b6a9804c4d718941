#include "rt/sched/thread.h"

#include <string.h>

#include "rt/engine/engine.h"
#include "rt/hook/hook.h"
#include "rt/mem/buffer.h"
#include "rt/rec/rec.h"
#include "rt/sched/spin.h"
#include "rt/sched/state.h"

struct rt_thread sched_threads[WIRE_MAX_THREADS];

static void occupy(struct rt_thread *t, uint32_t slot)
{
	t->slot = (uint16_t)slot;
	t->place = &engine_slots[slot];
	t->buffer = buffer_of_slot(slot);
	t->spin = spin_of_slot(slot);
	sched.by_slot[slot] = t;
	set_add(&sched.busy, slot);
	if (slot / 64 >= sched.words)
		sched.words = slot / 64 + 1;
}

struct rt_thread *thread_new(void *(*start)(void *), void *arg, uint32_t site)
{
	struct rt_thread *t, *parent = rt_current;
	int slot;

	if (sched.thread_count == WIRE_MAX_THREADS) {
		rt_note("more than %d threads in one execution", WIRE_MAX_THREADS);
		return NULL;
	}
	slot = engine_slot_find(sched.busy.word);
	if (slot < 0) {
		rt_note("more than %d threads alive", WIRE_MAX_LIVE);
		return NULL;
	}
	t = &sched_threads[sched.thread_count];
	memset(t, 0, sizeof(*t));
	t->tid = (uint16_t)sched.thread_count++;
	t->parent = parent ? parent->tid : THREAD_NONE;
	t->child_index = parent ? parent->children++ : 0;
	t->create_site = site;
	t->at_site = t->last_site = SITE_NONE;
	t->start = start;
	t->arg = arg;
	t->state = THREAD_PARKED;
	t->begin_op = (struct rt_op){ .kind = EVENT_THREAD_BEGIN, .site = site, .aux = t->parent };
	t->op = &t->begin_op;
	occupy(t, (uint32_t)slot);
	if (slot != 0)
		engine_slot_begin(t->place);
	set_add(&sched.enabled, (uint32_t)slot);
	sched.live++;
	if (sched.strategy->born)
		sched.strategy->born(t);
	return t;
}

pthread_t thread_handle(const struct rt_thread *t)
{
	return t->place->handle;
}

struct rt_thread *thread_by_handle(pthread_t handle)
{
	SET_EACH(&sched.busy, slot)
		if (pthread_equal(engine_slots[slot].handle, handle))
			return sched.by_slot[slot];
	return NULL;
}

struct rt_thread *thread_by_tid(uint32_t tid)
{
	return tid < sched.thread_count ? &sched_threads[tid] : NULL;
}

void thread_release(struct rt_thread *t)
{
	t->state = THREAD_GONE;
	set_remove(&sched.busy, t->slot);
}

void thread_end(void *result)
{
	struct rt_thread *t = rt_current;
	struct rt_op op = { .kind = EVENT_THREAD_END, .site = t->create_site,
			    .value = (uint64_t)result };

	t->result = result;
	t->exiting = 1;
	hook_thread_end(t);
	sched_step(&op);
	rec_event(EVENT_THREAD_END, op.site, 0, (uint64_t)result, 0);
	t->state = THREAD_FINISHED;
	set_remove(&sched.enabled, t->slot);
	sched.live--;
	sched_wake((uint64_t)t);
	if (t->detached)
		thread_release(t);
	if (sched.live == 0) {
		/* The last thread ends the process, as pthread_exit in main's absence does. */
		hook_run_atexit(0);
		rt_exit(0);
	}
	sched_leave();
}

void thread_hold(struct rt_thread *t, uint64_t addr, uint32_t site, enum wire_obj kind)
{
	if (t->held_count < RT_MAX_HELD)
		t->held[t->held_count++] = (struct rt_held){ addr, site, kind };
}

void thread_unhold(struct rt_thread *t, uint64_t addr)
{
	for (uint32_t i = t->held_count; i-- > 0;) {
		if (t->held[i].addr != addr)
			continue;
		memmove(&t->held[i], &t->held[i + 1],
			(t->held_count - i - 1) * sizeof(struct rt_held));
		t->held_count--;
		return;
	}
}
