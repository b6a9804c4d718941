#include "instr/atomic.h"

#include <string.h>

#include <llvm-c/Core.h>

#include "instr/access.h"
#include "instr/element.h"
#include "instr/name.h"
#include "instr/site.h"
#include "wire/event.h"
#include "wire/hooks.h"
#include "wire/site.h"

static uint32_t wire_order(LLVMAtomicOrdering order)
{
	switch (order) {
	case LLVMAtomicOrderingNotAtomic:
		return ORDER_PLAIN;
	case LLVMAtomicOrderingUnordered:
	case LLVMAtomicOrderingMonotonic:
		return ORDER_RELAXED;
	case LLVMAtomicOrderingAcquire:
		return ORDER_ACQUIRE;
	case LLVMAtomicOrderingRelease:
		return ORDER_RELEASE;
	case LLVMAtomicOrderingAcquireRelease:
		return ORDER_ACQ_REL;
	default:
		return ORDER_SEQ_CST;
	}
}

bool atomic_is(LLVMValueRef instruction)
{
	return LLVMGetOrdering(instruction) != LLVMAtomicOrderingNotAtomic;
}

LLVMValueRef atomic_site(struct unit *u, LLVMValueRef instruction, LLVMValueRef address,
				uint8_t kind, uint64_t size)
{
	struct strbuf text = STRBUF_INIT;
	struct site_what what = {kind, size, SITE_ATOMIC | access_flags(instruction, address),
				 NULL};
	LLVMValueRef site;

	name_of_access(u, address, size, &text);
	what.name = text.text;
	site = site_add(u, instruction, &what);
	strbuf_free(&text);
	element_access(u, instruction, address, kind != EVENT_READ);
	return site;
}

static LLVMValueRef widen(struct unit *u, LLVMValueRef value, unsigned bytes)
{
	return LLVMBuildZExtOrBitCast(u->build, access_to_integer(u, value, bytes), u->i64, "");
}

static LLVMValueRef narrow(struct unit *u, LLVMValueRef value, LLVMTypeRef type, unsigned bytes)
{
	LLVMTypeRef integer = LLVMIntTypeInContext(u->ctx, bytes * 8);

	return access_from_integer(u, LLVMBuildTruncOrBitCast(u->build, value, integer, ""), type);
}

/* A copy of a 16-byte value on the stack. */
static LLVMValueRef spill(struct unit *u, LLVMValueRef value)
{
	LLVMValueRef slot = unit_slot(u, LLVMTypeOf(value));

	LLVMSetAlignment(slot, 16);
	LLVMBuildStore(u->build, value, slot);
	return slot;
}

static void swap_n(struct unit *u, LLVMValueRef address, LLVMValueRef pair[2], uint64_t bytes,
		   LLVMValueRef order, LLVMValueRef site)
{
	LLVMValueRef none = LLVMConstPointerNull(u->ptr);

	unit_call_hook(u, HOOK_ATOMIC_SWAP_N,
		       (LLVMValueRef[]){address, pair[0] ? pair[0] : none,
					pair[1] ? pair[1] : none, unit_i64(u, bytes), order, site},
		       6);
}

static LLVMValueRef load_n(struct unit *u, LLVMTypeRef type, LLVMValueRef address,
			   LLVMValueRef order, LLVMValueRef site)
{
	LLVMValueRef slot = spill(u, LLVMConstNull(type));

	swap_n(u, address, (LLVMValueRef[]){slot, NULL}, LLVMStoreSizeOfType(u->layout, type), order,
	       site);
	return LLVMBuildLoad2(u->build, type, slot, "");
}

bool atomic_load(struct unit *u, const struct escape *x, LLVMValueRef load)
{
	LLVMValueRef address = LLVMGetOperand(load, 0), site, value, order;
	LLVMTypeRef type = LLVMTypeOf(load);
	uint64_t size = LLVMStoreSizeOfType(u->layout, type);
	unsigned bytes = access_integer_size(u, type);

	if (escape_is_private(x, address) || escape_is_constant(address))
		return false;
	unit_build_before(u, load);
	order = unit_i32(u, wire_order(LLVMGetOrdering(load)));
	site = atomic_site(u, load, address, EVENT_READ, size);
	if (u->flavor->elements)
		return false;
	if (bytes) {
		value = unit_call_hook(u, HOOK_ATOMIC_LOAD,
				       (LLVMValueRef[]){address, unit_i32(u, bytes), order, site},
				       4);
		value = narrow(u, value, type, bytes);
	} else {
		value = load_n(u, type, address, order, site);
	}
	name_of_loaded(u, load, value, address);
	access_replace(u, load, value);
	return true;
}

bool atomic_store(struct unit *u, const struct escape *x, LLVMValueRef store)
{
	LLVMValueRef value = LLVMGetOperand(store, 0), address = LLVMGetOperand(store, 1);
	LLVMTypeRef type = LLVMTypeOf(value);
	unsigned bytes = access_integer_size(u, type);
	LLVMValueRef order, site;

	if (escape_is_private(x, address))
		return false;
	unit_build_before(u, store);
	order = unit_i32(u, wire_order(LLVMGetOrdering(store)));
	site = atomic_site(u, store, address, EVENT_WRITE, LLVMStoreSizeOfType(u->layout, type));
	if (u->flavor->elements)
		return false;
	if (bytes)
		unit_call_hook(u, HOOK_ATOMIC_STORE,
			       (LLVMValueRef[]){address, widen(u, value, bytes), unit_i32(u, bytes),
						order, site},
			       5);
	else
		swap_n(u, address, (LLVMValueRef[]){NULL, spill(u, value)},
		       LLVMStoreSizeOfType(u->layout, type), order, site);
	access_replace(u, store, NULL);
	return true;
}

static int rmw_operation(LLVMValueRef rmw)
{
	switch (LLVMGetAtomicRMWBinOp(rmw)) {
	case LLVMAtomicRMWBinOpXchg:
		return HEDDLE_RMW_XCHG;
	case LLVMAtomicRMWBinOpAdd:
		return HEDDLE_RMW_ADD;
	case LLVMAtomicRMWBinOpSub:
		return HEDDLE_RMW_SUB;
	case LLVMAtomicRMWBinOpAnd:
		return HEDDLE_RMW_AND;
	case LLVMAtomicRMWBinOpNand:
		return HEDDLE_RMW_NAND;
	case LLVMAtomicRMWBinOpOr:
		return HEDDLE_RMW_OR;
	case LLVMAtomicRMWBinOpXor:
		return HEDDLE_RMW_XOR;
	case LLVMAtomicRMWBinOpMax:
		return HEDDLE_RMW_MAX;
	case LLVMAtomicRMWBinOpMin:
		return HEDDLE_RMW_MIN;
	case LLVMAtomicRMWBinOpUMax:
		return HEDDLE_RMW_UMAX;
	case LLVMAtomicRMWBinOpUMin:
		return HEDDLE_RMW_UMIN;
	case LLVMAtomicRMWBinOpFAdd:
		return HEDDLE_RMW_FADD;
	case LLVMAtomicRMWBinOpFSub:
		return HEDDLE_RMW_FSUB;
	default:
		return -1;
	}
}

/* An exchange of any width; the rest is told as something nobody sees. */
static bool rmw_otherwise(struct unit *u, LLVMValueRef rmw, int operation)
{
	LLVMValueRef address = LLVMGetOperand(rmw, 0), value = LLVMGetOperand(rmw, 1), site, slot;
	LLVMTypeRef type = LLVMTypeOf(rmw);
	LLVMValueRef order = unit_i32(u, wire_order(LLVMGetOrdering(rmw)));

	unit_build_before(u, rmw);
	if (operation != HEDDLE_RMW_XCHG && u->flavor->elements)
		return false;
	if (operation != HEDDLE_RMW_XCHG) {
		site = site_add(u, rmw, &(struct site_what){EVENT_CALL, 0, 0, "atomic operation"});
		unit_call_hook(u, HOOK_CALL, (LLVMValueRef[]){LLVMConstPointerNull(u->ptr), site},
			       2);
		return false;
	}
	site = atomic_site(u, rmw, address, EVENT_RMW, LLVMStoreSizeOfType(u->layout, type));
	if (u->flavor->elements)
		return false;
	slot = spill(u, LLVMConstNull(type));
	swap_n(u, address, (LLVMValueRef[]){slot, spill(u, value)},
	       LLVMStoreSizeOfType(u->layout, type), order, site);
	access_replace(u, rmw, LLVMBuildLoad2(u->build, type, slot, ""));
	return true;
}

bool atomic_rmw(struct unit *u, const struct escape *x, LLVMValueRef rmw)
{
	LLVMValueRef address = LLVMGetOperand(rmw, 0), value = LLVMGetOperand(rmw, 1), site;
	LLVMTypeRef type = LLVMTypeOf(rmw);
	unsigned bytes = access_integer_size(u, type);
	int operation = rmw_operation(rmw);

	if (escape_is_private(x, address))
		return false;
	if (!bytes || operation < 0)
		return rmw_otherwise(u, rmw, operation);
	unit_build_before(u, rmw);
	site = atomic_site(u, rmw, address, EVENT_RMW, bytes);
	if (u->flavor->elements)
		return false;
	value = unit_call_hook(u, HOOK_ATOMIC_RMW,
			       (LLVMValueRef[]){address, widen(u, value, bytes), unit_i32(u, bytes),
						unit_i32(u, operation),
						unit_i32(u, wire_order(LLVMGetOrdering(rmw))),
						site},
			       6);
	value = narrow(u, value, type, bytes);
	name_of_loaded(u, rmw, value, address);
	access_replace(u, rmw, value);
	return true;
}

/* {old value, exchanged} as the instruction yields it. */
static LLVMValueRef pair(struct unit *u, LLVMTypeRef type, LLVMValueRef old, LLVMValueRef done)
{
	LLVMValueRef result = LLVMGetUndef(type);

	result = LLVMBuildInsertValue(u->build, result, old, 0, "");
	return LLVMBuildInsertValue(u->build, result, done, 1, "");
}

static LLVMValueRef cas_n(struct unit *u, LLVMValueRef cmpxchg, LLVMValueRef order,
			   LLVMValueRef site)
{
	LLVMValueRef expected = spill(u, LLVMGetOperand(cmpxchg, 1));
	LLVMValueRef desired = spill(u, LLVMGetOperand(cmpxchg, 2));
	LLVMTypeRef type = LLVMTypeOf(LLVMGetOperand(cmpxchg, 1));
	LLVMValueRef done, old;

	done = unit_call_hook(u, HOOK_ATOMIC_CAS_N,
			      (LLVMValueRef[]){LLVMGetOperand(cmpxchg, 0), expected, desired,
					       unit_i64(u, LLVMStoreSizeOfType(u->layout, type)),
					       order, site},
			      6);
	done = LLVMBuildICmp(u->build, LLVMIntNE, done, unit_i32(u, 0), "");
	old = LLVMBuildLoad2(u->build, type, expected, "");
	return pair(u, LLVMTypeOf(cmpxchg), old, done);
}

/* A weak one may fail though the values are equal: the hook says whether it did. */
static LLVMValueRef cas_weak(struct unit *u, LLVMValueRef cmpxchg, LLVMValueRef order,
			     LLVMValueRef site)
{
	LLVMTypeRef type = LLVMTypeOf(LLVMGetOperand(cmpxchg, 1));
	unsigned bytes = access_integer_size(u, type);
	LLVMValueRef expected = spill(u, widen(u, LLVMGetOperand(cmpxchg, 1), bytes));
	LLVMValueRef desired = widen(u, LLVMGetOperand(cmpxchg, 2), bytes), done, old;

	done = unit_call_hook(u, HOOK_ATOMIC_CAS_WEAK,
			      (LLVMValueRef[]){LLVMGetOperand(cmpxchg, 0), expected, desired,
					       unit_i32(u, bytes), order, site},
			      6);
	done = LLVMBuildICmp(u->build, LLVMIntNE, done, unit_i32(u, 0), "");
	old = LLVMBuildLoad2(u->build, u->i64, expected, "");
	return pair(u, LLVMTypeOf(cmpxchg), narrow(u, old, type, bytes), done);
}

bool atomic_cmpxchg(struct unit *u, const struct escape *x, LLVMValueRef cmpxchg)
{
	LLVMValueRef address = LLVMGetOperand(cmpxchg, 0), expected = LLVMGetOperand(cmpxchg, 1);
	LLVMTypeRef type = LLVMTypeOf(expected);
	unsigned bytes = access_integer_size(u, type);
	LLVMValueRef site, order, old, wide, done, desired;

	if (escape_is_private(x, address))
		return false;
	unit_build_before(u, cmpxchg);
	order = unit_i32(u, wire_order(LLVMGetCmpXchgSuccessOrdering(cmpxchg)));
	site = atomic_site(u, cmpxchg, address, EVENT_RMW, LLVMStoreSizeOfType(u->layout, type));
	if (u->flavor->elements)
		return false;
	if (!bytes) {
		access_replace(u, cmpxchg, cas_n(u, cmpxchg, order, site));
		return true;
	}
	if (LLVMGetWeak(cmpxchg)) {
		access_replace(u, cmpxchg, cas_weak(u, cmpxchg, order, site));
		return true;
	}
	wide = widen(u, expected, bytes);
	desired = widen(u, LLVMGetOperand(cmpxchg, 2), bytes);
	old = unit_call_hook(
		u, HOOK_ATOMIC_CAS,
		(LLVMValueRef[]){address, wide, desired, unit_i32(u, bytes), order, site}, 6);
	done = LLVMBuildICmp(u->build, LLVMIntEQ, old, wide, "");
	access_replace(u, cmpxchg, pair(u, LLVMTypeOf(cmpxchg), narrow(u, old, type, bytes), done));
	return true;
}

bool atomic_fence(struct unit *u, LLVMValueRef fence)
{
	struct site_what what = {EVENT_FENCE, 0, SITE_ATOMIC, NULL};
	LLVMValueRef order;

	if (LLVMIsAtomicSingleThread(fence) || u->flavor->elements)
		return false;
	unit_build_before(u, fence);
	order = unit_i32(u, wire_order(LLVMGetOrdering(fence)));
	unit_call_hook(u, HOOK_FENCE, (LLVMValueRef[]){order, site_add(u, fence, &what)}, 2);
	access_replace(u, fence, NULL);
	return true;
}
