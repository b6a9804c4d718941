#include "guest/check/sched/spin.h"

#include "guest/check/engine/slot.h"
#include "guest/check/rec/rec.h"
#include "guest/check/sched/memory.h"
#include "guest/check/sched/spin_sight.h"
#include "guest/check/sched/state.h"

#define SPIN_READS 32
#define SPIN_STORES 8
#define SPIN_LEVELS 4
#define SPIN_RANGE 4096 /* most bytes of a range */

/* A round of one loop, under way. */
struct level {
	uint32_t site, held;
	uint64_t carried;
	uint32_t from;	 /* of its reads, the first that is kept */
	uint32_t begin;	 /* 1 + tix at the beginning */
	uint32_t stored; /* to the own stack */
	bool first;	 /* the round began where the loop was entered */
	struct {
		uint64_t addr, value; /* at the beginning */
		uint32_t size;
	} stores[SPIN_STORES];
};

/*
 * Loops in loops, the outermost first.  Some may have been left in the meantime, which nobody says:
 * they are dropped when one around them goes round or they are entered again.
 */
struct spin_state {
	uint32_t levels, count;
	struct level level[SPIN_LEVELS];
	struct {
		uint64_t addr, value;
		uint32_t size; /* 1, 2, 4, 8; of a range: its bytes, and value is their hash */
		bool range;
		spin_would_fn would; /* of an attempt; value: whether it succeeded */
	} reads[SPIN_READS];
};

static struct spin_state states[WIRE_MAX_LIVE];

struct spin_state *spin_of_slot(uint32_t slot)
{
	return &states[slot];
}

uint32_t spin_began(const struct rt_thread *t)
{
	const struct spin_state *s = t->spin;

	return t->spin_on && s->levels > 0 ? s->level[0].begin : UINT32_MAX;
}

static void drop_level(struct rt_thread *t, uint32_t i)
{
	struct spin_state *s = t->spin;

	for (s->levels--; i < s->levels; i++)
		s->level[i] = s->level[i + 1];
	t->spin_on = s->levels > 0;
}

/* The outermost goes, with what it read before the next one began. */
static void drop_outermost(struct rt_thread *t)
{
	struct spin_state *s = t->spin;
	uint32_t gone = s->levels > 1 ? s->level[1].from : s->count;

	RT_ASSERT(s->levels > 0 && gone <= s->count);
	for (uint32_t i = gone; i < s->count; i++)
		s->reads[i - gone] = s->reads[i];
	s->count -= gone;
	drop_level(t, 0);
	for (uint32_t i = 0; i < s->levels; i++)
		s->level[i].from -= gone;
}

void spin_collect(struct rt_thread *t, uint64_t addr, uint32_t size, uint64_t value)
{
	struct spin_state *s = t->spin;

	while (t->spin_on && s->count == SPIN_READS)
		drop_outermost(t);
	if (!t->spin_on)
		return;
	RT_ASSERT(s->levels > 0 && s->count < SPIN_READS);
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

/* What is there before the first round may be anything: a variable without a value. */
static bool note_store(const struct rt_thread *t, struct level *l, uint64_t addr, uint32_t size)
{
	for (uint32_t i = 0; i < l->stored; i++) {
		uint64_t at = l->stores[i].addr;

		if (at == addr && l->stores[i].size == size)
			return true;
		if (addr < at + l->stores[i].size && at < addr + size)
			return false;
	}
	if (l->stored == SPIN_STORES || l->first)
		return false;
	l->stores[l->stored].addr = addr;
	l->stores[l->stored].size = size;
	l->stores[l->stored++].value = memory_load(t, addr, size);
	return true;
}

void spin_note_store(struct rt_thread *t, uint64_t addr, uint32_t size)
{
	struct spin_state *s = t->spin;

	if (!is_own_stack(t, addr)) {
		t->spin_on = 0;
		return;
	}
	for (uint32_t i = s->levels; i-- > 0;)
		if (!note_store(t, &s->level[i], addr, size))
			drop_level(t, i);
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

static bool stack_is_as_before(const struct rt_thread *t, const struct level *l)
{
	for (uint32_t i = 0; i < l->stored; i++)
		if (memory_load(t, l->stores[i].addr, l->stores[i].size) != l->stores[i].value)
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

/* The thread is parked at the end of a round of the innermost loop. */
static bool park_ready(struct rt_thread *t, const struct rt_op *op)
{
	const struct spin_state *s = t->spin;

	for (uint32_t i = s->level[s->levels - 1].from; i < s->count; i++)
		if (read_again(t, i) != s->reads[i].value)
			return true;
	return false;
}

static void park(struct rt_thread *t, uint32_t site)
{
	const struct spin_state *s = t->spin;
	const struct level *l = &s->level[s->levels - 1];
	struct rt_op op = {
		.kind = EVENT_SPIN_PARK,
		/* A handler may change what the loop looks at: it looks again. */
		.flags = OP_NO_DRAIN | OP_YIELD | OP_INTR,
		.site = site,
		.aux = s->count - l->from,
		.addr = l->from < s->count ? s->reads[l->from].addr : 0,
		.value = l->begin | (l->stored ? EVENT_PARK_STORED : 0),
		.ready = park_ready,
	};

	RT_ASSERT(t == rt_current && s->count <= SPIN_READS);
	spin_sight_vain(t, l->begin, l->held, site);
	set_add(&sched.spinning, t->slot);
	sched_step(&op);
	rec_event(EVENT_SPIN_PARK, site, op.addr, op.value, op.aux);
}

/* The number of the loop's level, 1 for the outermost; 0: it has none. */
static uint32_t level_of(const struct spin_state *s, uint32_t site)
{
	uint32_t i = s->levels;

	while (i > 0 && s->level[i - 1].site != site)
		i--;
	return i;
}

/* A round begins, inside the first so many loops. */
static void begin(struct rt_thread *t, uint32_t levels, uint32_t site, uint64_t carried)
{
	struct spin_state *s = t->spin;
	struct level *l;

	s->levels = levels;
	if (levels == SPIN_LEVELS)
		drop_outermost(t);
	if (s->levels == 0)
		s->count = 0;
	l = &s->level[s->levels++];
	l->site = site;
	l->carried = carried;
	l->from = s->count;
	l->stored = 0;
	l->begin = t->next_tix + 1;
	l->held = t->held_count;
	l->first = false;
	t->spin_on = 1;
}

void spin_iteration(struct rt_thread *t, uint32_t site, uint64_t carried)
{
	struct spin_state *s = t->spin;
	struct level *l;
	uint32_t at;

	if (!t->spin_on)
		s->levels = s->count = 0;
	at = level_of(s, site);
	if (at == 0) {
		begin(t, s->levels, site, carried);
		return;
	}
	l = &s->level[at - 1];
	s->levels = at;
	/*
	 * Parked even when something has changed meanwhile (then it goes on at once): what a thread
	 * does is to follow from what it has read.
	 */
	if (l->held == t->held_count && l->carried == carried && stack_is_as_before(t, l))
		park(t, site);
	/* A handler may have run meanwhile. */
	begin(t, t->spin_on ? at - 1 : 0, site, carried);
}

void spin_enter(struct rt_thread *t, uint32_t site, uint64_t carried, bool collects)
{
	struct spin_state *s = t->spin;
	uint32_t at;

	if (!t->spin_on)
		s->levels = s->count = 0;
	at = level_of(s, site);
	if (at > 0)
		s->levels = at - 1;
	t->spin_on = s->levels > 0;
	if (!collects)
		return;
	begin(t, s->levels, site, carried);
	s->level[s->levels - 1].first = true;
}
