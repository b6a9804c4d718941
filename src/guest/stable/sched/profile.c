#include "guest/stable/sched/profile.h"

#include "guest/stable/conf.h"
#include "guest/stable/msg.h"
#include "guest/stable/os.h"
#include "guest/stable/stack.h"

bool conf_profile_on;

static uint64_t scale; /* nanoseconds of 2^20 cycles */

void profile_init(void)
{
	conf_profile_on = conf.profile != 0;
	if (!conf_profile_on)
		return;
	uint64_t ns = sys_monotonic_ns(), tsc = os_tsc();
	while (sys_monotonic_ns() - ns < 2000000)
		os_pause();
	scale = ((sys_monotonic_ns() - ns) << 20) / (os_tsc() - tsc);
}

static uint64_t to_ns(uint64_t cycles)
{
	return (cycles >> 20) * scale + (((cycles & 0xfffff) * scale) >> 20);
}

/* With the turn. */
static struct stable_region *region_of(uintptr_t from, uintptr_t to)
{
	uint64_t hash = (from * UINT64_C(0x9e3779b97f4a7c15)) ^ (to * UINT64_C(0xc2b2ae3d27d4eb4f));
	uint32_t at = (uint32_t)(hash >> 40) & (STABLE_REGIONS - 1);
	for (int tries = 0; tries < 32; tries++, at = (at + 1) & (STABLE_REGIONS - 1)) {
		struct stable_region *r = &ctl->region[at];
		if (r->count && (r->from != from || r->to != to))
			continue;
		r->from = from;
		r->to = to;
		return r;
	}
	return NULL;
}

void profile_request(struct sched_thread *t, uint16_t op)
{
	(void)op;
	__atomic_store_n(&t->profile.request, os_tsc(), __ATOMIC_RELEASE);
}

/* Time that threads behind t in the queue spent waiting for t to arrive. */
static uint64_t blame(struct sched_thread *t, uint64_t since, uint64_t until)
{
	uint64_t sum = 0;
	for (struct sched_thread *other = t->rq_next; other; other = other->rq_next) {
		uint64_t asked = __atomic_load_n(&other->profile.request, __ATOMIC_ACQUIRE);
		if (!asked || asked >= until)
			continue;
		sum += until - (asked > since ? asked : since);
	}
	return sum;
}

/* Moment at which the current holder became head. */
static uint64_t head_since;

void profile_granted(struct sched_thread *t, uint16_t op)
{
	uint64_t now = os_tsc(), asked = t->profile.request;
	if (!asked) {
		head_since = now;
		return;
	}
	struct stable_region *r = region_of(t->profile.from, t->pc[0]);
	t->profile.request = 0;
	if (!r)
		return;
	r->from_op = t->profile.from_op;
	r->to_op = op;
	r->count++;
	r->threads |= UINT64_C(1) << (t->tid & 63);
	if (t->profile.left && asked > t->profile.left) {
		uint64_t ns = to_ns(asked - t->profile.left) + 1;
		r->compute_ns += ns;
		if (!r->shortest_ns || ns < r->shortest_ns)
			r->shortest_ns = ns;
	}
	r->waited_ns += to_ns(now - asked);
	/* Had the turn before it arrived: everybody who asked meanwhile waited for this region. */
	if (head_since && asked > head_since)
		r->blamed_ns += to_ns(blame(t, head_since, asked));
	t->profile.from_op = op;
}

void profile_begin(struct sched_thread *t)
{
	t->profile.left = os_tsc();
}

void profile_left(struct sched_thread *t)
{
	t->profile.from = t->pc[0];
	t->profile.left = os_tsc();
	head_since = t->profile.left;
}
