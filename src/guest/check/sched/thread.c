#include "guest/check/sched/thread.h"

#include <string.h>

#include "guest/check/engine/engine.h"
#include "guest/check/sched/upcall.h"
#include "guest/check/mem/buffer.h"
#include "guest/check/rec/hidden.h"
#include "guest/check/rec/rec.h"
#include "guest/check/sched/frame.h"
#include "guest/check/sched/spin.h"
#include "guest/check/sched/state.h"

static void occupy(struct rt_thread *t, uint32_t slot)
{
	RT_ASSERT(slot < WIRE_MAX_LIVE && !set_has(&sched.busy, slot));
	t->slot = (uint16_t)slot;
	t->place = &engine_slots[slot];
	t->buffer = buffer_of_slot(slot);
	t->spin = spin_of_slot(slot);
	sched.by_slot[slot] = t;
	set_add(&sched.busy, slot);
	if (slot < 64)
		sched.used_slots |= UINT64_C(1) << slot;
	if (slot / 64 >= sched.words)
		sched.words = slot / 64 + 1;
}

/*
 * A slot that no thread of this run has had, as long as there are some: then the variables of a
 * thread (its own copies of thread-local ones, too) are not at the addresses of another's.
 */
static int find_slot(void)
{
	uint64_t used[WIRE_MAX_LIVE / 64] = { sched.used_slots };

	if (sched.used_slots == UINT64_MAX)
		return engine_slot_find(sched.busy.word);
	return engine_slot_find(used);
}

static uint32_t number_child(struct rt_thread *parent, bool inner)
{
	if (!parent)
		return 0;
	return inner ? WIRE_INNER_CHILD | parent->inner_children++ : parent->children++;
}

struct rt_thread *thread_new(void *(*start)(void *), void *arg, uint32_t site, bool inner)
{
	struct rt_thread *t, *parent = rt_current;
	int slot;

	/* The limits are ours: to tell the program that it may have no more would be a lie. */
	if (rt_thread_count == WIRE_MAX_THREADS)
		rt_trouble("there is no room for one more thread: at most %d in one execution",
			   WIRE_MAX_THREADS);
	slot = find_slot();
	if (slot < 0)
		rt_trouble("there is no room for one more thread: at most %d at the same time",
			   WIRE_MAX_LIVE);
	RT_ASSERT(sched.live <= rt_thread_count && rt_thread_count < WIRE_MAX_THREADS);
	t = &rt_threads[rt_thread_count];
	memset(t, 0, sizeof(*t));
	t->tid = (uint16_t)rt_thread_count++;
	t->parent = parent ? parent->tid : THREAD_NONE;
	t->child_index = number_child(parent, inner);
	t->key = hidden_mix(parent ? parent->key : 0, t->child_index + 1);
	t->create_site = site;
	t->at_site = t->last_site = SITE_NONE;
	t->at_sp = 0;
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
	if (sched.note_born)
		sched.note_born(t);
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

void thread_release(struct rt_thread *t)
{
	RT_ASSERT(t->state == THREAD_FINISHED && !set_has(&sched.enabled, t->slot));
	RT_ASSERT(set_has(&sched.busy, t->slot) && sched.by_slot[t->slot] == t);
	t->state = THREAD_GONE;
	set_remove(&sched.busy, t->slot);
}

uint64_t thread_result_cell(const struct rt_thread *t)
{
	return hidden_cell(HIDDEN_RESULT, t->key);
}

/* Who joins the thread may look at its result; what was never set is nothing. */
static void leave_result(struct rt_thread *t, void *result)
{
	struct rt_op op = { .kind = EVENT_WRITE, .size = 8, .site = t->create_site,
			    .addr = thread_result_cell(t), .value = (uint64_t)result,
			    .aux = ORDER_SEQ_CST | EVENT_HIDDEN };

	if (!result)
		return;
	sched_step(&op);
	rec_access(EVENT_WRITE, 8, op.site, op.addr, op.value, op.aux);
}

void thread_end(void *result)
{
	struct rt_thread *t = rt_current;
	/* The start routine has returned: none of the program's frames is left. */
	struct rt_op op = { .kind = EVENT_THREAD_END, .site = t->create_site,
			    .value = (uint64_t)result, .sp = (uint64_t)__builtin_dwarf_cfa() };

	t->result = result;
	t->exiting = 1;
	hook_thread_end(t);
	leave_result(t, result);
	frame_last(t);
	sched_step(&op);
	rec_event(EVENT_THREAD_END, op.site, 0, (uint64_t)result, 0);
	t->state = THREAD_FINISHED;
	set_remove(&sched.enabled, t->slot);
	RT_ASSERT(t->buffer->count == 0 && !set_has(&sched.buffered, t->slot));
	RT_ASSERT(sched.live > 0);
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
		RT_ASSERT(t->held_count <= RT_MAX_HELD);
		memmove(&t->held[i], &t->held[i + 1],
			(t->held_count - i - 1) * sizeof(struct rt_held));
		t->held_count--;
		return;
	}
}
