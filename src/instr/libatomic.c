/* Calls of libatomic: atomics of structures and of 16 bytes, and the generic ones. */
#include <string.h>

#include <llvm-c/Core.h>

#include "instr/access.h"
#include "instr/atomic.h"
#include "instr/site.h"
#include "wire/event.h"

/* What such a call works on; bytes 0 = not one that is known. */
struct libcall {
	struct unit *u;
	LLVMValueRef call, address, order, site;
	LLVMTypeRef type; /* of the copies */
	uint64_t bytes;
};

/* C11 order numbers are ours, shifted by the plain one. */
static LLVMValueRef order_of(struct unit *u, LLVMValueRef order)
{
	if (!LLVMIsAConstantInt(order) || LLVMConstIntGetZExtValue(order) > 5)
		return unit_i32(u, ORDER_SEQ_CST);
	return unit_i32(u, (uint32_t)LLVMConstIntGetZExtValue(order) + ORDER_RELAXED);
}

static LLVMValueRef slot_of(struct libcall *c)
{
	LLVMValueRef slot = unit_slot(c->u, c->type);

	LLVMSetAlignment(slot, 16);
	return slot;
}

/* The copies that the caller names are memory of the program: read and written as such. */
static LLVMValueRef read_copy(struct libcall *c, LLVMValueRef from)
{
	LLVMValueRef slot = slot_of(c);

	unit_call_hook(c->u, HOOK_LOAD_N,
		       (LLVMValueRef[]){slot, from, unit_i64(c->u, c->bytes), c->site}, 4);
	return slot;
}

static void write_copy(struct libcall *c, LLVMValueRef to, LLVMValueRef slot)
{
	unit_call_hook(c->u, HOOK_STORE_N,
		       (LLVMValueRef[]){to, slot, unit_i64(c->u, c->bytes), c->site}, 4);
}

static LLVMValueRef value_copy(struct libcall *c, LLVMValueRef value)
{
	LLVMValueRef slot = slot_of(c);

	LLVMBuildStore(c->u->build, value, slot);
	return slot;
}

static void swap(struct libcall *c, LLVMValueRef old, LLVMValueRef desired)
{
	LLVMValueRef none = LLVMConstPointerNull(c->u->ptr);

	unit_call_hook(c->u, HOOK_ATOMIC_SWAP_N,
		       (LLVMValueRef[]){c->address, old ? old : none, desired ? desired : none,
					unit_i64(c->u, c->bytes), c->order, c->site},
		       6);
}

static LLVMValueRef compare(struct libcall *c, LLVMValueRef expected, LLVMValueRef desired)
{
	LLVMValueRef slot = read_copy(c, expected), done;

	done = unit_call_hook(c->u, HOOK_ATOMIC_CAS_N,
			      (LLVMValueRef[]){c->address, slot, desired, unit_i64(c->u, c->bytes),
					       c->order, c->site},
			      6);
	write_copy(c, expected, slot);
	done = LLVMBuildICmp(c->u->build, LLVMIntNE, done, unit_i32(c->u, 0), "");
	return LLVMBuildZExtOrBitCast(c->u->build, done, LLVMTypeOf(c->call), "");
}

static LLVMValueRef argument(struct libcall *c, unsigned i)
{
	return LLVMGetArgOperand(c->call, i);
}

enum form { LOAD, STORE, EXCHANGE, COMPARE };

/* (size, address, copies…, order…) */
static LLVMValueRef do_generic(struct libcall *c, enum form form)
{
	LLVMValueRef slot;

	switch (form) {
	case LOAD:
		slot = slot_of(c);
		swap(c, slot, NULL);
		write_copy(c, argument(c, 2), slot);
		return NULL;
	case STORE:
		swap(c, NULL, read_copy(c, argument(c, 2)));
		return NULL;
	case EXCHANGE:
		slot = slot_of(c);
		swap(c, slot, read_copy(c, argument(c, 2)));
		write_copy(c, argument(c, 3), slot);
		return NULL;
	default:
		return compare(c, argument(c, 2), read_copy(c, argument(c, 3)));
	}
}

/* (address, values…, order…) */
static LLVMValueRef do_sized(struct libcall *c, enum form form)
{
	LLVMValueRef slot;

	switch (form) {
	case STORE:
		swap(c, NULL, value_copy(c, argument(c, 1)));
		return NULL;
	case COMPARE:
		return compare(c, argument(c, 1), value_copy(c, argument(c, 2)));
	default:
		slot = slot_of(c);
		swap(c, slot, form == LOAD ? NULL : value_copy(c, argument(c, 1)));
		return LLVMBuildLoad2(c->u->build, LLVMTypeOf(c->call), slot, "");
	}
}

static const struct {
	const char *name;
	unsigned arguments, order;
	enum form form;
	bool sized;
} table[] = {
	{"__atomic_load", 4, 3, LOAD, false},
	{"__atomic_store", 4, 3, STORE, false},
	{"__atomic_exchange", 5, 4, EXCHANGE, false},
	{"__atomic_compare_exchange", 6, 4, COMPARE, false},
	{"__atomic_load_16", 2, 1, LOAD, true},
	{"__atomic_store_16", 3, 2, STORE, true},
	{"__atomic_exchange_16", 3, 2, EXCHANGE, true},
	{"__atomic_compare_exchange_16", 5, 3, COMPARE, true},
};

bool atomic_libcall(struct unit *u, LLVMValueRef call)
{
	LLVMValueRef callee = LLVMGetCalledValue(call);
	struct libcall c = {.u = u, .call = call, .bytes = 16};
	size_t bytes;

	if (!LLVMIsACallInst(call) || !LLVMIsAFunction(callee) || !LLVMIsDeclaration(callee))
		return false;
	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		if (strcmp(LLVMGetValueName2(callee, &bytes), table[i].name) ||
		    LLVMGetNumArgOperands(call) != table[i].arguments)
			continue;
		if (!table[i].sized && !LLVMIsAConstantInt(argument(&c, 0)))
			return false;
		if (!table[i].sized)
			c.bytes = LLVMConstIntGetZExtValue(argument(&c, 0));
		unit_build_before(u, call);
		c.type = LLVMArrayType2(u->i8, c.bytes);
		c.address = argument(&c, table[i].sized ? 0 : 1);
		c.order = order_of(u, argument(&c, table[i].order));
		c.site = atomic_site(u, call, c.address,
				     table[i].form == LOAD ? EVENT_READ : EVENT_RMW, c.bytes);
		access_replace(u, call, table[i].sized ? do_sized(&c, table[i].form)
						    : do_generic(&c, table[i].form));
		return true;
	}
	return false;
}
