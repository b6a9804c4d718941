/*
 * Loads, stores and atomics of instrumented code.  Each is a scheduling point, then a heap check,
 * the access itself under the job's memory model, and an event.
 *
 * Tolerates: before main (plain access), signal handlers of the program (they count as code of the
 * interrupted thread).
 */
#include <string.h>

#include "guest/check/mem/buffer.h"
#include "guest/check/mem/heap.h"
#include "guest/check/mem/undo.h"
#include "guest/check/rec/rec.h"
#include "guest/check/sched/frame.h"
#include "guest/check/sched/memory.h"
#include "guest/check/sched/spin.h"
#include "guest/check/sched/thread.h"

/*
 * Where the frames of the program end: the operation is described in the hook itself, so this is the
 * stack pointer of the caller.
 */
#define CALLER_SP ((uint64_t)__builtin_dwarf_cfa())
#define IN_HOOK static inline __attribute__((always_inline))

static inline void check_memory(uint64_t addr, uint32_t size, uint32_t site, bool write)
{
	heap_check((void *)addr, size, site, write);
	frame_check(addr, size, site, write);
}

static bool weak_model(void)
{
	return wire_model_buffers(rt_ctl->job.model);
}

IN_HOOK uint64_t load(uint64_t addr, uint8_t size, uint32_t order, heddle_site_ref where)
{
	struct rt_thread *t = rt_current;
	uint32_t site = rec_site(where);
	struct rt_op op = { .kind = EVENT_READ, .size = size, .flags = OP_NO_DRAIN, .site = site,
			    .addr = addr, .aux = order, .sp = CALLER_SP };
	uint64_t value;

	sched_step(&op);
	check_memory(addr, size, site, false);
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
IN_HOOK void issue(uint64_t addr, uint64_t value, uint8_t size, uint32_t order, uint32_t site)
{
	struct rt_thread *t = rt_current;
	struct rt_op op = { .kind = EVENT_ISSUE, .size = size, .flags = OP_NO_DRAIN, .site = site,
			    .addr = addr, .value = value, .aux = order, .ready = has_room,
			    .sp = CALLER_SP };

	sched_step(&op);
	check_memory(addr, size, site, true);
	if (order == ORDER_RELEASE && wire_model_reorders(rt_ctl->job.model))
		buffer_barrier(t->buffer);
	memory_issue(t, &(struct buffer_entry){ .store = { .at = addr,
							   .value = value,
							   .tix = t->next_tix,
							   .size = size },
						.site = site,
						.order = (uint8_t)order });
	spin_wrote(t);
	rec_access(EVENT_ISSUE, size, site, addr, value, order);
}

IN_HOOK void store(uint64_t addr, uint64_t value, uint8_t size, uint32_t order,
		  heddle_site_ref where)
{
	uint32_t site = rec_site(where);
	struct rt_op op = { .kind = EVENT_WRITE, .size = size, .site = site, .addr = addr,
			    .value = value, .aux = order, .sp = CALLER_SP };

	/* A sequentially consistent store drains and writes through, like an exchange. */
	if (weak_model() && order != ORDER_SEQ_CST) {
		issue(addr, value, size, order, site);
		return;
	}
	sched_step(&op);
	check_memory(addr, size, site, true);
	spin_store(rt_current, addr, size);
	memory_store(addr, value, size);
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
IN_HOOK uint64_t rmw_begin(uint64_t addr, uint32_t size, uint32_t order, uint32_t site)
{
	struct rt_op op = { .kind = EVENT_RMW, .size = (uint8_t)size, .site = site, .addr = addr,
			    .aux = order, .sp = CALLER_SP };

	sched_step(&op);
	check_memory(addr, size, site, true);
	return memory_load(rt_current, addr, size);
}

/* Order and old value in one word, see events.def. */
static uint32_t rmw_aux(uint32_t order, uint64_t old)
{
	return order | (uint32_t)old << 3;
}

/* Who exchanges a value for the same one has only looked: a lock that is taken stays taken. */
static void rmw_end(uint64_t addr, uint64_t value, uint32_t size, uint32_t aux, uint32_t site)
{
	bool same = memory_load(rt_current, addr, size) == value;

	memory_store(addr, value, size);
	if (same && rmw_keeps(value, aux))
		spin_read(rt_current, addr, size, value);
	else
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

/*
 * A freed block is not given out again while others can serve, so that uses of it are seen; a compare
 * and swap that still expects its address and finds that of a younger one fails here and might succeed
 * elsewhere (ABA).  The C++ library's own ones put up with that.
 */
static void note_freed(uint64_t found, uint64_t expected, uint32_t site, heddle_site_ref where)
{
	if (!heap_might_lie_at(found, expected))
		return;
	if (where && where->file && strstr((const char *)where + where->file, "/c++/"))
		return;
	rt_unseen(site, "a compare and swap expects the address of a freed block, and whether a "
			"younger one lies there was not varied");
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
	note_freed(old, expected, site, where);
	spin_read(rt_current, (uint64_t)addr, size, old);
	rec_access(EVENT_CAS_FAIL, (uint8_t)size, site, (uint64_t)addr, old, order);
	return old;
}

/* The compare and swap that t stands at will fail, whatever it finds. */
static void fail_weak(struct rt_thread *t)
{
	t->op->data = t->op;
	t->op->spurious = NULL;
	sched_refresh(t);
}

/* For whoever learns what threads do: the next event is weak. */
static void note_weak(uint64_t addr, uint64_t expected, uint32_t size, bool fails)
{
	struct wire_event e = { .addr = addr,
				.value = expected,
				.site = SITE_NONE,
				.tix = rt_current->next_tix,
				.aux = fails,
				.tid = rt_current->tid,
				.kind = EVENT_WEAK,
				.size = (uint8_t)size };

	if (rec_details())
		rec_raw(&e);
}

RT_EXPORT int heddle_hook_atomic_cas_weak(void *addr, uint64_t *expected, uint64_t desired,
					  uint32_t size, uint32_t order, heddle_site_ref where)
{
	uint64_t at = (uint64_t)addr, wanted = *expected;
	uint32_t site = rec_site(where);
	struct rt_op op = { .kind = EVENT_RMW, .size = (uint8_t)size, .site = site, .addr = at,
			    .value = wanted, .aux = order | RMW_WEAK, .spurious = fail_weak,
			    .sp = CALLER_SP };
	bool fails;

	if (unlikely(!rt_controlled())) {
		*expected = cas_real(addr, wanted, desired, size);
		return *expected == wanted;
	}
	sched_step(&op);
	check_memory(at, size, site, true);
	*expected = memory_load(rt_current, at, size);
	fails = op.data && *expected == wanted;
	note_weak(at, wanted, size, fails);
	if (*expected == wanted && !fails) {
		rmw_end(at, desired, size, rmw_aux(order, wanted), site);
		return 1;
	}
	note_freed(*expected, wanted, site, where);
	spin_read(rt_current, at, size, *expected);
	/* Another round would find the same and yet do something else. */
	if (fails)
		rt_current->spin_on = 0;
	rec_access(EVENT_CAS_FAIL, (uint8_t)size, site, at, *expected, order);
	return 0;
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
