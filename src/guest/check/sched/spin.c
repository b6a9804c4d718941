#include "guest/check/sched/spin.h"

#include "guest/check/engine/slot.h"
#include "guest/check/rec/rec.h"
#include "guest/check/sched/memory.h"
#include "guest/check/sched/state.h"

#define SPIN_READS 16
#define SPIN_STORES 8
#define SPIN_RANGE 4096 /* most bytes of a range */

struct spin_state {
	uint32_t site, count, held;
	uint64_t carried;
	struct {
		uint64_t addr, value;
		uint32_t size; /* 1, 2, 4, 8; of a range: its bytes, and value is their hash */
		bool range;
		spin_would_fn would; /* of an attempt; value: whether it succeeded */
	} reads[SPIN_READS];
	uint32_t stored, begin; /* stores to the own stack; 1 + tix at the beginning */
	bool first;		/* the round began where the loop was entered */
	struct {
		uint64_t addr, value; /* at the beginning */
		uint32_t size;
	} stores[SPIN_STORES];
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
	RT_ASSERT(t->spin_on && s->count < SPIN_READS);
	s->reads[s->count].addr = addr;
	s->reads[s->count].size = size;
	s->reads[s->count].range = false;
	s->reads[s->count].would = NULL;
	s->reads[s->count++].value = value;
}

void spin_tried(struct rt_thread *t, uint64_t addr, bool got, spin_would_fn would)
{
	if (!t->spin_on)
		return;
	spin_collect(t, addr, 0, got);
	if (t->spin_on)
		t->spin->reads[t->spin->count - 1].would = would;
}

static uint64_t hash_range(uint64_t addr, uint64_t bytes)
{
	const unsigned char *at = (const unsigned char *)addr;
	uint64_t h = UINT64_C(0xcbf29ce484222325);

	for (uint64_t i = 0; i < bytes; i++)
		h = (h ^ at[i]) * UINT64_C(0x100000001b3);
	return h;
}

void spin_collect_range(struct rt_thread *t, uint64_t addr, uint64_t bytes)
{
	if (bytes > SPIN_RANGE) {
		t->spin_on = 0;
		return;
	}
	spin_collect(t, addr, (uint32_t)bytes, hash_range(addr, bytes));
	if (t->spin_on)
		t->spin->reads[t->spin->count - 1].range = true;
}

static bool is_own_stack(const struct rt_thread *t, uint64_t addr)
{
	const struct engine_slot *s = &engine_slots[t->slot];

	return addr - s->stack_low < s->stack_high - s->stack_low;
}

void spin_note_store(struct rt_thread *t, uint64_t addr, uint32_t size)
{
	struct spin_state *s = t->spin;

	for (uint32_t i = 0; i < s->stored; i++) {
		uint64_t at = s->stores[i].addr;

		if (at == addr && s->stores[i].size == size)
			return;
		if (addr < at + s->stores[i].size && at < addr + size)
			t->spin_on = 0;
	}
	/* What is there before the first round may be anything: a variable without a value. */
	if (s->stored == SPIN_STORES || s->first || !is_own_stack(t, addr))
		t->spin_on = 0;
	if (!t->spin_on)
		return;
	s->stores[s->stored].addr = addr;
	s->stores[s->stored].size = size;
	s->stores[s->stored++].value = memory_load(t, addr, size);
}

void spin_note_stores(struct rt_thread *t, uint64_t addr, uint64_t bytes)
{
	for (uint64_t at = addr, end = addr + bytes; t->spin_on && at < end;) {
		uint32_t size = sizeof(uint64_t);

		while (size > end - at || at % size)
			size /= 2;
		spin_note_store(t, at, size);
		at += size;
	}
}

static bool stack_is_as_before(const struct rt_thread *t)
{
	const struct spin_state *s = t->spin;

	for (uint32_t i = 0; i < s->stored; i++)
		if (memory_load(t, s->stores[i].addr, s->stores[i].size) != s->stores[i].value)
			return false;
	return true;
}

/* What the i-th of the thread's reads would find now. */
static uint64_t read_again(const struct rt_thread *t, uint32_t i)
{
	const struct spin_state *s = t->spin;
	uint64_t addr = s->reads[i].addr;

	if (s->reads[i].would)
		return s->reads[i].would(t, addr);
	return s->reads[i].range ? hash_range(addr, s->reads[i].size)
				 : memory_load(t, addr, s->reads[i].size);
}

static bool anything_changed(const struct rt_thread *t)
{
	for (uint32_t i = 0; i < t->spin->count; i++)
		if (read_again(t, i) != t->spin->reads[i].value)
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
		/* A handler may change what the loop looks at: it looks again. */
		.flags = OP_NO_DRAIN | OP_YIELD | OP_INTR,
		.site = site,
		.aux = t->spin->count,
		.addr = t->spin->count ? t->spin->reads[0].addr : 0,
		.value = t->spin->begin | (t->spin->stored ? EVENT_PARK_STORED : 0),
		.ready = park_ready,
	};

	RT_ASSERT(t == rt_current && t->spin->count <= SPIN_READS);
	set_add(&sched.spinning, t->slot);
	sched_step(&op);
	rec_event(EVENT_SPIN_PARK, site, op.addr, op.value, op.aux);
}

static void begin(struct rt_thread *t, uint32_t site, uint64_t carried)
{
	struct spin_state *s = t->spin;

	s->site = site;
	s->carried = carried;
	s->count = 0;
	s->stored = 0;
	s->begin = t->next_tix + 1;
	s->held = t->held_count;
	s->first = false;
	t->spin_on = 1;
}

void spin_iteration(struct rt_thread *t, uint32_t site, uint64_t carried)
{
	struct spin_state *s = t->spin;

	/*
	 * Parked even when something has changed meanwhile (then it goes on at once): what a thread
	 * does is to follow from what it has read.
	 */
	if (t->spin_on && s->site == site && s->held == t->held_count && s->carried == carried &&
	    stack_is_as_before(t))
		park(t, site);
	begin(t, site, carried);
}

void spin_enter(struct rt_thread *t, uint32_t site, uint64_t carried, bool collects)
{
	if (t->spin->site == site)
		t->spin_on = 0;
	if (t->spin_on || !collects)
		return;
	begin(t, site, carried);
	t->spin->first = true;
}
