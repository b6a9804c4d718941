/*
 * Loads, stores and atomics of instrumented code.  Each is a scheduling point, then a heap check,
 * the access itself under the job's memory model, and an event.
 *
 * Tolerates: before main (plain access), signal handlers of the program (they count as code of the
 * interrupted thread).
 */
#include <string.h>

#include "rt/mem/buffer.h"
#include "rt/mem/heap.h"
#include "rt/mem/undo.h"
#include "rt/rec/rec.h"
#include "rt/sched/memory.h"
#include "rt/sched/spin.h"
#include "rt/sched/thread.h"

static bool weak_model(void)
{
	return rt_ctl->job.model != MODEL_SC;
}

static uint64_t load(uint64_t addr, uint8_t size, uint32_t order, heddle_site_ref where)
{
	struct rt_thread *t = rt_current;
	uint32_t site = rec_site(where);
	struct rt_op op = { .kind = EVENT_READ, .size = size, .flags = OP_NO_DRAIN, .site = site,
			    .addr = addr, .aux = order };
	uint64_t value;

	sched_step(&op);
	heap_check((void *)addr, size, site, false);
	value = memory_load(t, addr, size);
	spin_read(t, addr, size, value);
	rec_access(EVENT_READ, size, site, addr, value, order);
	return value;
}

static bool has_room(struct rt_thread *t, const struct rt_op *op)
{
	return !buffer_full(t->buffer);
}

/* TSO and PSO: the store leaves the thread, but not yet for memory. */
static void issue(uint64_t addr, uint64_t value, uint8_t size, uint32_t order, uint32_t site)
{
	struct rt_thread *t = rt_current;
	struct rt_op op = { .kind = EVENT_ISSUE, .size = size, .flags = OP_NO_DRAIN, .site = site,
			    .addr = addr, .value = value, .aux = order, .ready = has_room };

	sched_step(&op);
	heap_check((void *)addr, size, site, true);
	if (order == ORDER_RELEASE && rt_ctl->job.model == MODEL_PSO)
		buffer_barrier(t->buffer);
	memory_issue(t, &(struct buffer_entry){ .addr = addr,
						.value = value,
						.site = site,
						.tix = t->next_tix,
						.size = size,
						.order = (uint8_t)order });
	spin_wrote(t);
	rec_access(EVENT_ISSUE, size, site, addr, value, order);
}

static void store(uint64_t addr, uint64_t value, uint8_t size, uint32_t order,
		  heddle_site_ref where)
{
	uint32_t site = rec_site(where);
	struct rt_op op = { .kind = EVENT_WRITE, .size = size, .site = site, .addr = addr,
			    .value = value, .aux = order };

	/* A sequentially consistent store drains and writes through, like an exchange. */
	if (weak_model() && order != ORDER_SEQ_CST) {
		issue(addr, value, size, order, site);
		return;
	}
	sched_step(&op);
	heap_check((void *)addr, size, site, true);
	memory_store(addr, value, size);
	spin_wrote(rt_current);
	rec_access(EVENT_WRITE, size, site, addr, value, order);
}

#define PLAIN(bytes, type)                                                                         \
	RT_EXPORT type heddle_hook_load##bytes(const void *addr, heddle_site_ref site)             \
	{                                                                                          \
		if (unlikely(!rt_controlled()))                                                    \
			return *(const volatile type *)addr;                                       \
		return (type)load((uint64_t)addr, bytes, ORDER_PLAIN, site);                       \
	}                                                                                          \
	RT_EXPORT void heddle_hook_store##bytes(void *addr, type value, heddle_site_ref site)      \
	{                                                                                          \
		if (unlikely(!rt_controlled()))                                                    \
			*(volatile type *)addr = value;                                            \
		else                                                                               \
			store((uint64_t)addr, value, bytes, ORDER_PLAIN, site);                    \
	}

PLAIN(1, uint8_t)
PLAIN(2, uint16_t)
PLAIN(4, uint32_t)
PLAIN(8, uint64_t)

RT_EXPORT uint64_t heddle_hook_atomic_load(const void *addr, uint32_t size, uint32_t order,
					   heddle_site_ref site)
{
	if (likely(rt_controlled()))
		return load((uint64_t)addr, (uint8_t)size, order, site);
	switch (size) {
	case 1:
		return __atomic_load_n((const uint8_t *)addr, __ATOMIC_SEQ_CST);
	case 2:
		return __atomic_load_n((const uint16_t *)addr, __ATOMIC_SEQ_CST);
	case 4:
		return __atomic_load_n((const uint32_t *)addr, __ATOMIC_SEQ_CST);
	default:
		return __atomic_load_n((const uint64_t *)addr, __ATOMIC_SEQ_CST);
	}
}

RT_EXPORT void heddle_hook_atomic_store(void *addr, uint64_t value, uint32_t size, uint32_t order,
					heddle_site_ref site)
{
	if (likely(rt_controlled())) {
		store((uint64_t)addr, value, (uint8_t)size, order, site);
		return;
	}
	switch (size) {
	case 1:
		__atomic_store_n((uint8_t *)addr, (uint8_t)value, __ATOMIC_SEQ_CST);
		break;
	case 2:
		__atomic_store_n((uint16_t *)addr, (uint16_t)value, __ATOMIC_SEQ_CST);
		break;
	case 4:
		__atomic_store_n((uint32_t *)addr, (uint32_t)value, __ATOMIC_SEQ_CST);
		break;
	default:
		__atomic_store_n((uint64_t *)addr, value, __ATOMIC_SEQ_CST);
	}
}

/* ---- read-modify-write ---- */

static int64_t sign_extend(uint64_t value, uint32_t size)
{
	uint32_t shift = 64 - size * 8;

	return (int64_t)(value << shift) >> shift;
}

static uint64_t add_real(uint64_t old, uint64_t operand, uint32_t size, int sign)
{
	uint64_t result = 0;

	if (size == 4) {
		float a, b;

		memcpy(&a, &old, 4);
		memcpy(&b, &operand, 4);
		a += (float)sign * b;
		memcpy(&result, &a, 4);
	} else {
		double a, b;

		memcpy(&a, &old, 8);
		memcpy(&b, &operand, 8);
		a += (double)sign * b;
		memcpy(&result, &a, 8);
	}
	return result;
}

static uint64_t combine(uint64_t old, uint64_t operand, uint32_t size, uint32_t op)
{
	bool less = sign_extend(old, size) < sign_extend(operand, size);

	switch (op) {
	case HEDDLE_RMW_XCHG:
		return operand;
	case HEDDLE_RMW_ADD:
		return old + operand;
	case HEDDLE_RMW_SUB:
		return old - operand;
	case HEDDLE_RMW_AND:
		return old & operand;
	case HEDDLE_RMW_NAND:
		return ~(old & operand);
	case HEDDLE_RMW_OR:
		return old | operand;
	case HEDDLE_RMW_XOR:
		return old ^ operand;
	case HEDDLE_RMW_MAX:
		return less ? operand : old;
	case HEDDLE_RMW_MIN:
		return less ? old : operand;
	case HEDDLE_RMW_UMAX:
		return old < operand ? operand : old;
	case HEDDLE_RMW_UMIN:
		return old < operand ? old : operand;
	case HEDDLE_RMW_FADD:
		return add_real(old, operand, size, 1);
	default:
		return add_real(old, operand, size, -1);
	}
}

static uint64_t cut(uint64_t value, uint32_t size)
{
	return size == 8 ? value : value & ((UINT64_C(1) << size * 8) - 1);
}

/* Stands at the operation and hands back the old value. */
static uint64_t rmw_begin(uint64_t addr, uint32_t size, uint32_t order, uint32_t site)
{
	struct rt_op op = { .kind = EVENT_RMW, .size = (uint8_t)size, .site = site, .addr = addr,
			    .aux = order };

	sched_step(&op);
	heap_check((void *)addr, size, site, true);
	return memory_load(rt_current, addr, size);
}

/* Order and old value in one word, see events.def. */
static uint32_t rmw_aux(uint32_t order, uint64_t old)
{
	return order | (uint32_t)old << 3;
}

static void rmw_end(uint64_t addr, uint64_t value, uint32_t size, uint32_t aux, uint32_t site)
{
	memory_store(addr, value, size);
	spin_wrote(rt_current);
	rec_access(EVENT_RMW, (uint8_t)size, site, addr, value, aux);
}

/* Outside control, before main for example, only real atomics keep other threads honest. */
static uint64_t cas_real(void *addr, uint64_t expected, uint64_t desired, uint32_t size)
{
	uint8_t e1 = (uint8_t)expected;
	uint16_t e2 = (uint16_t)expected;
	uint32_t e4 = (uint32_t)expected;

	switch (size) {
	case 1:
		__atomic_compare_exchange_n((uint8_t *)addr, &e1, (uint8_t)desired, 0,
					    __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
		return e1;
	case 2:
		__atomic_compare_exchange_n((uint16_t *)addr, &e2, (uint16_t)desired, 0,
					    __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
		return e2;
	case 4:
		__atomic_compare_exchange_n((uint32_t *)addr, &e4, (uint32_t)desired, 0,
					    __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
		return e4;
	default:
		__atomic_compare_exchange_n((uint64_t *)addr, &expected, desired, 0,
					    __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
		return expected;
	}
}

RT_EXPORT uint64_t heddle_hook_atomic_rmw(void *addr, uint64_t operand, uint32_t size, uint32_t op,
					  uint32_t order, heddle_site_ref where)
{
	uint32_t site = rec_site(where);
	uint64_t old, seen;

	if (unlikely(!rt_controlled())) {
		seen = heddle_hook_atomic_load(addr, size, order, where);
		do {
			old = seen;
			seen = cas_real(addr, old, cut(combine(old, operand, size, op), size), size);
		} while (seen != old);
		return old;
	}
	old = rmw_begin((uint64_t)addr, size, order, site);
	rmw_end((uint64_t)addr, cut(combine(old, operand, size, op), size), size,
		rmw_aux(order, old), site);
	return old;
}

RT_EXPORT uint64_t heddle_hook_atomic_cas(void *addr, uint64_t expected, uint64_t desired,
					  uint32_t size, uint32_t order, heddle_site_ref where)
{
	uint32_t site = rec_site(where);
	uint64_t old;

	if (unlikely(!rt_controlled()))
		return cas_real(addr, expected, desired, size);
	old = rmw_begin((uint64_t)addr, size, order, site);
	if (old == expected) {
		rmw_end((uint64_t)addr, desired, size, rmw_aux(order, old), site);
		return old;
	}
	spin_read(rt_current, (uint64_t)addr, size, old);
	rec_access(EVENT_CAS_FAIL, (uint8_t)size, site, (uint64_t)addr, old, order);
	return old;
}

RT_EXPORT int heddle_hook_atomic_cas16(void *addr, void *expected, const void *desired,
				       uint32_t order, heddle_site_ref where)
{
	uint32_t site = rec_site(where);
	int same;

	if (rt_controlled())
		rmw_begin((uint64_t)addr, 8, order, site);
	same = memcmp(addr, expected, 16) == 0;
	if (!same) {
		memcpy(expected, addr, 16);
	} else {
		undo_touch(addr, 16);
		memcpy(addr, desired, 16);
	}
	if (!rt_controlled())
		return same;
	if (same)
		memory_changed();
	rt_current->spin_on = 0;
	rec_access(same ? EVENT_RMW : EVENT_CAS_FAIL, 16, site, (uint64_t)addr,
		   *(const uint64_t *)addr, order);
	if (same)
		rec_data(addr, 16);
	return same;
}

RT_EXPORT void heddle_hook_fence(uint32_t order, heddle_site_ref where)
{
	uint32_t site = rec_site(where);
	struct rt_op op = { .kind = EVENT_FENCE, .site = site, .aux = order };

	if (!rt_controlled())
		return;
	/* Weaker fences order nothing that these models reorder, but for stores under PSO. */
	if (order == ORDER_SEQ_CST)
		sched_step(&op);
	else if (order == ORDER_RELEASE || order == ORDER_ACQ_REL)
		buffer_barrier(rt_current->buffer);
	rec_event(EVENT_FENCE, site, 0, 0, order);
}
