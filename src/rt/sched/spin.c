#include "rt/sched/spin.h"

#include "rt/rec/rec.h"
#include "rt/sched/memory.h"
#include "rt/sched/state.h"

#define SPIN_READS 16

struct spin_state {
	uint32_t site, count, held;
	struct {
		uint64_t addr, value;
		uint32_t size;
	} reads[SPIN_READS];
};

static struct spin_state states[WIRE_MAX_LIVE];

struct spin_state *spin_of_slot(uint32_t slot)
{
	return &states[slot];
}

void spin_collect(struct rt_thread *t, uint64_t addr, uint32_t size, uint64_t value)
{
	struct spin_state *s = t->spin;

	if (s->count == SPIN_READS) {
		t->spin_on = 0;
		return;
	}
	s->reads[s->count].addr = addr;
	s->reads[s->count].size = size;
	s->reads[s->count++].value = value;
}

static bool anything_changed(const struct rt_thread *t)
{
	const struct spin_state *s = t->spin;

	for (uint32_t i = 0; i < s->count; i++)
		if (memory_load(t, s->reads[i].addr, s->reads[i].size) != s->reads[i].value)
			return true;
	return false;
}

static bool park_ready(struct rt_thread *t, const struct rt_op *op)
{
	return anything_changed(t);
}

static void park(struct rt_thread *t, uint32_t site)
{
	struct rt_op op = {
		.kind = EVENT_SPIN_PARK,
		.flags = OP_NO_DRAIN | OP_YIELD,
		.site = site,
		.aux = t->spin->count,
		.addr = t->spin->count ? t->spin->reads[0].addr : 0,
		.ready = park_ready,
	};

	set_add(&sched.spinning, t->slot);
	sched_step(&op);
	rec_event(EVENT_SPIN_PARK, site, op.addr, 0, op.aux);
}

void spin_iteration(struct rt_thread *t, uint32_t site)
{
	struct spin_state *s = t->spin;

	/*
	 * Parked even when something has changed meanwhile (then it goes on at once): what a thread
	 * does is to follow from what it has read.
	 */
	if (t->spin_on && s->site == site && s->held == t->held_count)
		park(t, site);
	s->site = site;
	s->count = 0;
	s->held = t->held_count;
	t->spin_on = 1;
}
