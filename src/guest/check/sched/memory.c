#include "guest/check/sched/memory.h"

#include <string.h>

#include "guest/check/engine/slot.h"
#include "guest/check/mem/buffer.h"
#include "guest/check/mem/undo.h"
#include "guest/check/rec/rec.h"
#include "guest/check/sched/state.h"

static uint64_t load_plain(uint64_t addr, uint32_t size)
{
	uint64_t value = 0;

	switch (size) {
	case 1:
		return *(volatile uint8_t *)addr;
	case 2:
		return *(volatile uint16_t *)addr;
	case 4:
		return *(volatile uint32_t *)addr;
	case 8:
		return *(volatile uint64_t *)addr;
	default:
		memcpy(&value, (void *)addr, size < 8 ? size : 8);
		return value;
	}
}

static bool on_stack_of(const struct rt_thread *t, uint64_t addr)
{
	return addr >= t->place->stack_low && addr < t->place->stack_high;
}

/* The thread whose stack holds addr and that has stores under way; NULL when there is none. */
static struct rt_thread *stack_owner(uint64_t addr)
{
	SET_EACH(&sched.buffered, slot)
		if (on_stack_of(sched.by_slot[slot], addr))
			return sched.by_slot[slot];
	return NULL;
}

uint64_t memory_load(const struct rt_thread *t, uint64_t addr, uint32_t size)
{
	uint64_t value = load_plain(addr, size);

	if (unlikely(set_any(&sched.buffered))) {
		struct rt_thread *owner = stack_owner(addr);

		if (owner && owner != t)
			buffer_hide(owner->buffer, addr, &value, size);
		buffer_forward(t->buffer, addr, &value, size);
	}
	return value;
}

static void store_plain(uint64_t addr, uint64_t value, uint32_t size)
{
	undo_touch((void *)addr, size);
	switch (size) {
	case 1:
		*(volatile uint8_t *)addr = (uint8_t)value;
		break;
	case 2:
		*(volatile uint16_t *)addr = (uint16_t)value;
		break;
	case 4:
		*(volatile uint32_t *)addr = (uint32_t)value;
		break;
	case 8:
		*(volatile uint64_t *)addr = value;
		break;
	default:
		memcpy((void *)addr, &value, size < 8 ? size : 8);
	}
}

void memory_store(uint64_t addr, uint64_t value, uint32_t size)
{
	if (unlikely(set_any(&sched.buffered))) {
		struct rt_thread *owner = stack_owner(addr);

		if (owner && owner != rt_current)
			buffer_overtaken(owner->buffer, addr, size);
	}
	store_plain(addr, value, size);
	memory_changed();
}

void memory_changed(void)
{
	if (likely(!set_any(&sched.spinning)))
		return;
	SET_EACH(&sched.spinning, slot)
		if (sched.choosing || sched.by_slot[slot] != rt_current)
			sched_refresh(sched.by_slot[slot]);
}

/* Whether the job puts a fence of that kind at the store's site. */
static bool is_fenced(uint32_t site, enum wire_fence_kind kind)
{
	const struct wire_job *job = &rt_ctl->job;

	for (uint32_t i = 0; i < job->fence_count && i < WIRE_MAX_FENCES; i++)
		if (job->fences[i].site == site && job->fences[i].kind == (uint32_t)kind)
			return true;
	return false;
}

void memory_issue(struct rt_thread *t, struct buffer_entry *entry)
{
	RT_ASSERT(wire_model_buffers(sched.model) && !buffer_full(t->buffer));
	RT_ASSERT(entry->store.size > 0 && entry->store.size <= 8);
	if (unlikely(rt_ctl->job.fence_count) && is_fenced(entry->site, FENCE_RELEASE))
		buffer_barrier(t->buffer);
	if (on_stack_of(t, entry->store.at)) {
		const struct rule_store *s = &entry->store;

		entry->early = 1;
		entry->old = load_plain(s->at, s->size);
		store_plain(s->at, s->value, s->size);
	}
	buffer_put(t->buffer, entry);
	set_add(&sched.buffered, t->slot);
	if (unlikely(rt_ctl->job.fence_count) && is_fenced(entry->site, FENCE_FULL))
		t->buffer->fenced = 1;
}

void memory_commit(struct rt_thread *t, uint32_t choice)
{
	struct buffer_entry e = buffer_take(t->buffer, (enum wire_model)sched.model, choice);
	struct wire_event event = {
		.addr = e.store.at,
		.value = e.store.value,
		.site = e.site,
		.tix = e.store.tix,
		.aux = e.order,
		.tid = t->tid,
		.kind = EVENT_WRITE,
		.size = (uint8_t)e.store.size,
	};

	RT_ASSERT(sched.choosing && e.store.tix < t->next_tix);
	if (e.early)
		memory_changed();
	else
		memory_store(e.store.at, e.store.value, e.store.size);
	rec_raw(&event);
	RT_ASSERT(set_has(&sched.buffered, t->slot));
	if (t->buffer->count == 0) {
		set_remove(&sched.buffered, t->slot);
		t->buffer->fenced = 0;
	}
	/* It may stand at an operation that waits for the buffer to empty, or to have room. */
	sched_refresh(t);
}
