#include "instr/access.h"

#include <string.h>

#include <llvm-c/Core.h>

#include "instr/element.h"
#include "instr/name.h"
#include "instr/site.h"
#include "ir/function.h"
#include "wire/event.h"
#include "wire/site.h"

static LLVMTypeRef integer_type(struct unit *u, unsigned bytes)
{
	switch (bytes) {
	case 1:
		return u->i8;
	case 2:
		return u->i16;
	case 4:
		return u->i32;
	default:
		return u->i64;
	}
}

static bool is_scalar(LLVMTypeRef type)
{
	switch (LLVMGetTypeKind(type)) {
	case LLVMIntegerTypeKind:
	case LLVMHalfTypeKind:
	case LLVMBFloatTypeKind:
	case LLVMFloatTypeKind:
	case LLVMDoubleTypeKind:
	case LLVMPointerTypeKind:
	case LLVMVectorTypeKind:
		return true;
	default:
		return false;
	}
}

unsigned access_integer_size(struct unit *u, LLVMTypeRef type)
{
	unsigned long long bits;

	if (!is_scalar(type))
		return 0;
	bits = LLVMSizeOfTypeInBits(u->layout, type);
	if (bits != 8 && bits != 16 && bits != 32 && bits != 64)
		return 0;
	if (LLVMGetTypeKind(type) == LLVMVectorTypeKind &&
	    LLVMGetTypeKind(LLVMGetElementType(type)) == LLVMPointerTypeKind)
		return 0;
	return (unsigned)bits / 8;
}

LLVMValueRef access_to_integer(struct unit *u, LLVMValueRef value, unsigned bytes)
{
	LLVMTypeRef type = integer_type(u, bytes);

	if (LLVMTypeOf(value) == type)
		return value;
	if (LLVMGetTypeKind(LLVMTypeOf(value)) == LLVMPointerTypeKind)
		return LLVMBuildPtrToInt(u->build, value, type, "");
	return LLVMBuildBitCast(u->build, value, type, "");
}

LLVMValueRef access_from_integer(struct unit *u, LLVMValueRef integer, LLVMTypeRef type)
{
	if (LLVMTypeOf(integer) == type)
		return integer;
	if (LLVMGetTypeKind(type) == LLVMPointerTypeKind)
		return LLVMBuildIntToPtr(u->build, integer, type, "");
	return LLVMBuildBitCast(u->build, integer, type, "");
}

uint32_t access_flags(LLVMValueRef instruction, LLVMValueRef address)
{
	uint32_t flags = 0;

	if (!LLVMIsACallInst(instruction) && LLVMGetVolatile(instruction))
		flags |= SITE_VOLATILE;
	if (escape_is_thread_local(address))
		flags |= SITE_TLS;
	/* Block operations have two addresses and one site. */
	if (!LLVMIsACallInst(instruction) && LLVMIsConstant(address))
		flags |= SITE_FIXED;
	return flags;
}

void access_replace(struct unit *u, LLVMValueRef instruction, LLVMValueRef value)
{
	name_forget(u, instruction);
	if (value)
		LLVMReplaceAllUsesWith(instruction, value);
	LLVMInstructionEraseFromParent(instruction);
}

static bool in_default_space(LLVMValueRef address)
{
	return LLVMGetPointerAddressSpace(LLVMTypeOf(address)) == 0;
}

static LLVMValueRef access_site(struct unit *u, LLVMValueRef instruction, LLVMValueRef address,
				struct site_what what)
{
	struct strbuf text = STRBUF_INIT;
	LLVMValueRef site;

	name_of_access(u, address, LLVMIsACallInst(instruction) ? 0 : what.size, &text);
	what.flags |= access_flags(instruction, address);
	what.name = text.text;
	site = site_add(u, instruction, &what);
	strbuf_free(&text);
	element_access(u, instruction, address, what.kind == EVENT_WRITE);
	return site;
}

static enum hook_id sized(enum hook_id one, unsigned bytes)
{
	return one + (bytes == 1 ? 0 : bytes == 2 ? 1 : bytes == 4 ? 2 : 3);
}

/* Virtual tables are constant; clang calls the address of a slot "vfn". */
static bool is_vtable_slot(LLVMValueRef address)
{
	size_t bytes;
	const char *name = LLVMGetValueName2(address, &bytes);

	return LLVMIsAGetElementPtrInst(address) && bytes >= 3 && !memcmp(name, "vfn", 3);
}

bool access_load(struct unit *u, const struct escape *x, LLVMValueRef load)
{
	LLVMValueRef address = LLVMGetOperand(load, 0), site, value;
	LLVMTypeRef type = LLVMTypeOf(load);
	unsigned bytes = access_integer_size(u, type);
	uint64_t stored = LLVMStoreSizeOfType(u->layout, type);

	if (escape_is_private(x, address) || escape_is_constant(address) ||
	    is_vtable_slot(address) || !in_default_space(address))
		return false;
	unit_build_before(u, load);
	site = access_site(u, load, address, (struct site_what){EVENT_READ, stored, 0, NULL});
	if (u->flavor->elements)
		return false;
	if (bytes) {
		value = unit_call_hook(u, sized(HOOK_LOAD1, bytes), (LLVMValueRef[]){address, site},
				       2);
		value = access_from_integer(u, value, type);
	} else {
		LLVMValueRef copy = unit_slot(u, type);

		unit_call_hook(u, HOOK_LOAD_N,
			       (LLVMValueRef[]){copy, address, unit_i64(u, stored), site}, 4);
		value = LLVMBuildLoad2(u->build, type, copy, "");
	}
	name_of_loaded(u, load, value, address);
	access_replace(u, load, value);
	return true;
}

bool access_store(struct unit *u, const struct escape *x, LLVMValueRef store)
{
	LLVMValueRef value = LLVMGetOperand(store, 0), address = LLVMGetOperand(store, 1), site;
	LLVMTypeRef type = LLVMTypeOf(value);
	unsigned bytes = access_integer_size(u, type);
	uint64_t stored = LLVMStoreSizeOfType(u->layout, type);

	if (escape_is_private(x, address) || !in_default_space(address))
		return false;
	unit_build_before(u, store);
	site = access_site(u, store, address, (struct site_what){EVENT_WRITE, stored, 0, NULL});
	if (u->flavor->elements)
		return false;
	if (bytes) {
		value = access_to_integer(u, value, bytes);
		unit_call_hook(u, sized(HOOK_STORE1, bytes), (LLVMValueRef[]){address, value, site},
			       3);
	} else {
		LLVMValueRef copy = unit_slot(u, type);

		LLVMBuildStore(u->build, value, copy);
		unit_call_hook(u, HOOK_STORE_N,
			       (LLVMValueRef[]){address, copy, unit_i64(u, stored), site}, 4);
	}
	access_replace(u, store, NULL);
	return true;
}

static const struct {
	const char *name;
	enum hook_id hook;
	bool prefix; /* an intrinsic: the name goes on with the types */
} block_calls[] = {
	{"llvm.memcpy.", HOOK_MEMCPY, true}, {"llvm.memmove.", HOOK_MEMMOVE, true},
	{"llvm.memset.", HOOK_MEMSET, true}, {"memcpy", HOOK_MEMCPY, false},
	{"memmove", HOOK_MEMMOVE, false},    {"memset", HOOK_MEMSET, false},
};

static int block_call(LLVMValueRef call)
{
	LLVMValueRef callee = LLVMGetCalledValue(call);
	const char *name;
	size_t bytes;

	if (!callee || !LLVMIsAFunction(callee) || LLVMGetNumArgOperands(call) < 3)
		return -1;
	name = LLVMGetValueName2(callee, &bytes);
	for (size_t i = 0; i < sizeof(block_calls) / sizeof(block_calls[0]); i++)
		if (block_calls[i].prefix
			    ? !strncmp(name, block_calls[i].name, strlen(block_calls[i].name))
			    : !strcmp(name, block_calls[i].name) && LLVMIsDeclaration(callee))
			return block_calls[i].hook;
	return -1;
}

bool access_block(struct unit *u, const struct escape *x, LLVMValueRef call)
{
	int hook = LLVMIsACallInst(call) ? block_call(call) : -1;
	bool intrinsic = *ir_function_intrinsic(call) != 0;
	LLVMValueRef to, from, n, site, result;

	if (hook < 0)
		return false;
	to = LLVMGetOperand(call, 0);
	from = LLVMGetOperand(call, 1);
	n = LLVMGetOperand(call, 2);
	if (!in_default_space(to) || (hook != HOOK_MEMSET && !in_default_space(from)))
		return false;
	if (escape_is_private(x, to) &&
	    (hook == HOOK_MEMSET || escape_is_private(x, from) || escape_is_constant(from)))
		return false;
	unit_build_before(u, call);
	site = access_site(
		u, call, escape_is_private(x, to) ? from : to,
		(struct site_what){escape_is_private(x, to) ? EVENT_READ_RANGE : EVENT_WRITE_RANGE,
				   LLVMIsAConstantInt(n) ? LLVMConstIntGetZExtValue(n) : 0, 0,
				   NULL});
	if (hook == HOOK_MEMSET)
		from = LLVMBuildZExtOrBitCast(u->build, from, u->i32, "");
	n = LLVMBuildZExtOrBitCast(u->build, n, u->i64, "");
	result = unit_call_hook(u, (enum hook_id)hook, (LLVMValueRef[]){to, from, n, site}, 4);
	access_replace(u, call, intrinsic ? NULL : result);
	return true;
}

static unsigned argument_alignment(struct unit *u, LLVMValueRef call, unsigned i, LLVMTypeRef type)
{
	LLVMAttributeRef a = LLVMGetCallSiteEnumAttribute(
		call, i + 1, LLVMGetEnumAttributeKindForName("align", 5));
	unsigned natural = LLVMABIAlignmentOfType(u->layout, type);
	unsigned said = a ? (unsigned)LLVMGetEnumAttributeValue(a) : 0;

	return said > natural ? said : natural;
}

/* The call gets the copy that was read, so that what was recorded is what is passed. */
static void read_argument(struct unit *u, LLVMValueRef call, unsigned i, LLVMTypeRef type)
{
	LLVMValueRef address = LLVMGetArgOperand(call, i), copy, site;
	uint64_t bytes = LLVMABISizeOfType(u->layout, type);

	unit_build_before(u, call);
	copy = unit_slot(u, type);
	LLVMSetAlignment(copy, argument_alignment(u, call, i, type));
	site = access_site(u, call, address,
			   (struct site_what){EVENT_READ_RANGE, bytes, 0, NULL});
	unit_call_hook(u, HOOK_LOAD_N, (LLVMValueRef[]){copy, address, unit_i64(u, bytes), site},
		       4);
	/* Nothing of this frame may be given to a guaranteed tail call. */
	if (!LLVMIsACallInst(call) || LLVMGetTailCallKind(call) != LLVMTailCallKindMustTail)
		LLVMSetOperand(call, i, copy);
}

void access_copied(struct unit *u, const struct escape *x, LLVMValueRef call)
{
	unsigned byval = LLVMGetEnumAttributeKindForName("byval", 5);

	for (unsigned i = 0; i < LLVMGetNumArgOperands(call); i++) {
		LLVMAttributeRef a = LLVMGetCallSiteEnumAttribute(call, i + 1, byval);
		LLVMValueRef address = LLVMGetArgOperand(call, i);

		if (a && !escape_is_private(x, address) && !escape_is_constant(address))
			read_argument(u, call, i, LLVMGetTypeAttributeValue(a));
	}
}
