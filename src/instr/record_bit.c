#include "instr/record_bit.h"

#include <string.h>

#include <llvm-c/Core.h>
#include <llvm-c/DebugInfo.h>

#include "ir/cfg.h"
#include "ir/paths.h"
#include "ir/ptrmap.h"
#include "wire/record_paths.h"

#define PRESERVE_MOST 14 /* a calling convention of LLVM */

static void set_attribute(struct unit *u, LLVMValueRef function, const char *name, uint64_t value)
{
	unsigned kind = LLVMGetEnumAttributeKindForName(name, strlen(name));

	LLVMAddAttributeAtIndex(function, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
				LLVMCreateEnumAttribute(u->ctx, kind, value));
}

/* The runtime's state is nobody else's business: memory(inaccessiblemem: readwrite). */
#define ONLY_INACCESSIBLE (3u << 2)

static LLVMValueRef spill_function(struct unit *u, LLVMTypeRef *type)
{
	LLVMValueRef f = LLVMGetNamedFunction(u->mod, RECORD_BITS_SPILL);

	*type = LLVMFunctionType(u->ptr, &u->ptr, 1, 0);
	if (f)
		return f;
	f = LLVMAddFunction(u->mod, RECORD_BITS_SPILL, *type);
	LLVMSetFunctionCallConv(f, PRESERVE_MOST);
	set_attribute(u, f, "nounwind", 0);
	set_attribute(u, f, "cold", 0);
	/* The dynamic linker's lazy way to a function does not keep as many registers. */
	set_attribute(u, f, "nonlazybind", 0);
	set_attribute(u, f, "memory", ONLY_INACCESSIBLE);
	return f;
}

/*
 * A type directly below the root of the module's own types: no access of the program has a tag that
 * may alias it, characters included.
 */
static LLVMValueRef alias_tag(struct unit *u, LLVMMetadataRef root, const char *name)
{
	LLVMMetadataRef zero = LLVMValueAsMetadata(unit_i64(u, 0)), parts[3], type;

	parts[0] = LLVMMDStringInContext2(u->ctx, name, strlen(name));
	parts[1] = root;
	parts[2] = zero;
	type = LLVMMDNodeInContext2(u->ctx, parts, 3);
	parts[0] = parts[1] = type;
	parts[2] = zero;
	return LLVMMetadataAsValue(u->ctx, LLVMMDNodeInContext2(u->ctx, parts, 3));
}

/* Up from the access type of a tag to the root, which has no parent. */
static LLVMMetadataRef root_of(struct unit *u, LLVMValueRef tag)
{
	LLVMValueRef node = tag, operands[64];

	for (unsigned level = 0; level < 16; level++) {
		unsigned n = (unsigned)LLVMGetMDNodeNumOperands(node);

		if (n == 1)
			return LLVMValueAsMetadata(node);
		if (!n || n > 64)
			return NULL;
		LLVMGetMDNodeOperands(node, operands);
		/* A tag is (base, access, offset); a type (name, parent or first member, …). */
		node = operands[1];
		if (!node || !LLVMIsAMDNode(node))
			return NULL;
	}
	return NULL;
}

static LLVMMetadataRef find_root(struct unit *u)
{
	unsigned kind = LLVMGetMDKindIDInContext(u->ctx, "tbaa", 4);

	for (LLVMValueRef f = LLVMGetFirstFunction(u->mod); f; f = LLVMGetNextFunction(f))
		for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b;
		     b = LLVMGetNextBasicBlock(b))
			for (LLVMValueRef i = LLVMGetFirstInstruction(b); i;
			     i = LLVMGetNextInstruction(i)) {
				LLVMValueRef tag =
					LLVMHasMetadata(i) ? LLVMGetMetadata(i, kind) : NULL;
				LLVMMetadataRef root = tag ? root_of(u, tag) : NULL;

				if (root)
					return root;
			}
	return NULL;
}

/* ---- accesses ---- */

static LLVMValueRef tagged(const struct record_bits *b, LLVMValueRef access, LLVMValueRef tag)
{
	if (tag)
		LLVMSetMetadata(access, b->tbaa, tag);
	return access;
}

static void store_word(const struct record_bits *b, LLVMValueRef word, LLVMValueRef at)
{
	LLVMValueRef store = LLVMBuildStore(b->u->build, word, at);

	LLVMSetVolatile(store, 1);
	tagged(b, store, b->word_tag);
}

static LLVMValueRef thread_address(const struct record_bits *b)
{
	struct unit *u = b->u;
	unsigned id = LLVMLookupIntrinsicID("llvm.threadlocal.address", 24);
	LLVMValueRef f = LLVMGetIntrinsicDeclaration(u->mod, id, &u->ptr, 1);
	LLVMValueRef global = b->global;

	return LLVMBuildCall2(u->build, LLVMIntrinsicGetType(u->ctx, id, &u->ptr, 1), f, &global, 1,
			      "");
}

/* The locals become what the thread has. */
static void reload(const struct record_bits *b, LLVMValueRef at_slot, LLVMValueRef word_slot)
{
	LLVMBuilderRef build = b->u->build;
	LLVMValueRef at = LLVMBuildLoad2(build, b->u->ptr, thread_address(b), "");
	LLVMValueRef word;

	tagged(b, at, b->place_tag);
	word = tagged(b, LLVMBuildLoad2(build, b->u->i64, at, ""), b->word_tag);
	LLVMBuildStore(build, at, at_slot);
	LLVMBuildStore(build, word, word_slot);
}

/* ---- helpers ---- */

/* A function of ours that is inlined everywhere, whatever the level of optimisation. */
static LLVMValueRef helper(struct unit *u, const char *name, LLVMTypeRef type)
{
	LLVMValueRef f = LLVMAddFunction(u->mod, name, type);

	LLVMSetLinkage(f, LLVMInternalLinkage);
	set_attribute(u, f, "alwaysinline", 0);
	set_attribute(u, f, "nounwind", 0);
	LLVMSetCurrentDebugLocation2(u->build, NULL);
	LLVMPositionBuilderAtEnd(u->build, LLVMAppendBasicBlockInContext(u->ctx, f, ""));
	return f;
}

/* The word in the locals is full: the next one is begun. */
static void spill(const struct record_bits *b, LLVMValueRef at, LLVMValueRef at_slot,
		  LLVMValueRef word_slot)
{
	struct unit *u = b->u;
	LLVMTypeRef type;
	LLVMValueRef f = spill_function(u, &type);
	LLVMValueRef next = LLVMBuildCall2(u->build, type, f, &at, 1, "");

	LLVMSetInstructionCallConv(next, PRESERVE_MOST);
	store_word(b, unit_i64(u, 1), next);
	tagged(b, LLVMBuildStore(u->build, next, thread_address(b)), b->place_tag);
	LLVMBuildStore(u->build, next, at_slot);
	LLVMBuildStore(u->build, unit_i64(u, 1), word_slot);
}

/* void bit(i1, ptr at, ptr word) */
static LLVMValueRef make_bit(struct record_bits *b)
{
	struct unit *u = b->u;
	LLVMTypeRef params[] = {u->i1, u->ptr, u->ptr};
	LLVMValueRef f = helper(u, "heddle.record.bit", LLVMFunctionType(u->none, params, 3, 0));
	LLVMValueRef at_slot = LLVMGetParam(f, 1), word_slot = LLVMGetParam(f, 2), at, word, full;
	LLVMBasicBlockRef more = LLVMAppendBasicBlockInContext(u->ctx, f, "");
	LLVMBasicBlockRef done = LLVMAppendBasicBlockInContext(u->ctx, f, "");

	at = LLVMBuildLoad2(u->build, u->ptr, at_slot, "");
	word = LLVMBuildLoad2(u->build, u->i64, word_slot, "");
	word = LLVMBuildAdd(u->build, word, word, "");
	word = LLVMBuildAdd(u->build, word, LLVMBuildZExt(u->build, LLVMGetParam(f, 0), u->i64, ""),
			    "");
	store_word(b, word, at);
	LLVMBuildStore(u->build, word, word_slot);
	full = LLVMBuildICmp(u->build, LLVMIntSLT, word, unit_i64(u, 0), "");
	LLVMBuildCondBr(u->build, full, more, done);
	LLVMPositionBuilderAtEnd(u->build, more);
	spill(b, at, at_slot, word_slot);
	LLVMBuildRetVoid(u->build);
	LLVMPositionBuilderAtEnd(u->build, done);
	LLVMBuildRetVoid(u->build);
	return f;
}

static LLVMValueRef declare(struct unit *u, const char *name, LLVMTypeRef type)
{
	LLVMValueRef f = LLVMGetNamedFunction(u->mod, name);

	if (!f) {
		f = LLVMAddFunction(u->mod, name, type);
		set_attribute(u, f, "nounwind", 0);
	}
	return f;
}

/* The runtime does it, and the locals are behind. */
static void push_slowly(struct record_bits *b, LLVMValueRef push)
{
	struct unit *u = b->u;
	LLVMTypeRef params[] = {u->i64, u->i64};
	LLVMTypeRef type = LLVMFunctionType(u->none, params, 2, 0);
	LLVMValueRef args[] = {LLVMGetParam(push, 0), LLVMGetParam(push, 1)};
	LLVMValueRef f = declare(u, "heddle_record_push", type);

	set_attribute(u, f, "cold", 0);
	LLVMBuildCall2(u->build, type, f, args, 2, "");
	reload(b, LLVMGetParam(push, 2), LLVMGetParam(push, 3));
	LLVMBuildRetVoid(u->build);
}

/* void push(i64 value, i64 bits, ptr at, ptr word): all of it into the word, without filling it? */
static LLVMValueRef make_push(struct record_bits *b)
{
	struct unit *u = b->u;
	LLVMTypeRef params[] = {u->i64, u->i64, u->ptr, u->ptr};
	LLVMValueRef f = helper(u, "heddle.record.push", LLVMFunctionType(u->none, params, 4, 0));
	LLVMValueRef bits = LLVMGetParam(f, 1), word_slot = LLVMGetParam(f, 3), at, word, fits;
	LLVMBasicBlockRef fast = LLVMAppendBasicBlockInContext(u->ctx, f, "");
	LLVMBasicBlockRef slow = LLVMAppendBasicBlockInContext(u->ctx, f, "");

	at = LLVMBuildLoad2(u->build, u->ptr, LLVMGetParam(f, 2), "");
	word = LLVMBuildLoad2(u->build, u->i64, word_slot, "");
	fits = LLVMBuildShl(u->build, unit_i64(u, 1),
			    LLVMBuildSub(u->build, unit_i64(u, 62), bits, ""), "");
	fits = LLVMBuildICmp(u->build, LLVMIntULT, word, fits, "");
	LLVMBuildCondBr(u->build, fits, fast, slow);
	LLVMPositionBuilderAtEnd(u->build, fast);
	word = LLVMBuildOr(u->build, LLVMBuildShl(u->build, word, bits, ""), LLVMGetParam(f, 0),
			   "");
	store_word(b, word, at);
	LLVMBuildStore(u->build, word, word_slot);
	LLVMBuildRetVoid(u->build);
	LLVMPositionBuilderAtEnd(u->build, slow);
	push_slowly(b, f);
	return f;
}

void record_bits_init(struct record_bits *b, struct unit *u)
{
	LLVMMetadataRef root = find_root(u);

	*b = (struct record_bits){.u = u, .tbaa = LLVMGetMDKindIDInContext(u->ctx, "tbaa", 4)};
	if (root) {
		b->place_tag = alias_tag(u, root, "heddle place");
		b->word_tag = alias_tag(u, root, "heddle word");
	}
	b->global = LLVMAddGlobal(u->mod, u->ptr, "heddle_record_at");
	/* The library is there from the start: its variables have fixed places. */
	LLVMSetThreadLocalMode(b->global, LLVMInitialExecTLSModel);
	b->bit = make_bit(b);
	b->push = make_push(b);
}

/* ---- functions ---- */

static void reload_before(struct record_bits *b, LLVMValueRef instruction)
{
	unit_build_before(b->u, instruction);
	reload(b, b->at, b->word);
}

/* Behind what has to stand first in a block. */
static void reload_in(struct record_bits *b, LLVMBasicBlockRef block, struct ptrmap *done)
{
	LLVMValueRef i = LLVMGetFirstInstruction(block);

	if (!ptrmap_add(done, block))
		return;
	while (LLVMIsAPHINode(i) || LLVMIsALandingPadInst(i))
		i = LLVMGetNextInstruction(i);
	reload_before(b, i);
}

struct calls {
	VEC_FIELDS(LLVMValueRef);
};

static void find_calls(LLVMValueRef function, struct calls *out)
{
	for (LLVMBasicBlockRef k = LLVMGetFirstBasicBlock(function); k;
	     k = LLVMGetNextBasicBlock(k))
		for (LLVMValueRef i = LLVMGetFirstInstruction(k); i; i = LLVMGetNextInstruction(i))
			/* Bits may be written while it runs. */
			if (ir_paths_is_end(i))
				vec_push(out, i);
}

void record_bits_enter(struct record_bits *b, LLVMValueRef function)
{
	LLVMValueRef first = LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(function));
	struct calls calls = {NULL, 0, 0};
	struct ptrmap done = PTRMAP_INIT;

	find_calls(function, &calls);
	unit_build_before(b->u, first);
	b->at = LLVMBuildAlloca(b->u->build, b->u->ptr, "");
	b->word = LLVMBuildAlloca(b->u->build, b->u->i64, "");
	reload(b, b->at, b->word);
	for (size_t i = 0; i < calls.count; i++) {
		LLVMValueRef call = calls.items[i], next = LLVMGetNextInstruction(call);

		if (LLVMIsAInvokeInst(call)) {
			reload_in(b, LLVMGetNormalDest(call), &done);
			reload_in(b, LLVMGetUnwindDest(call), &done);
		} else if (!LLVMIsAReturnInst(next)) {
			reload_before(b, next);
		}
	}
	ptrmap_free(&done);
	vec_free(&calls);
}

static void add_bit(struct record_bits *b, LLVMValueRef value)
{
	struct unit *u = b->u;
	LLVMTypeRef params[] = {u->i1, u->ptr, u->ptr};
	LLVMValueRef args[] = {value, b->at, b->word};

	LLVMBuildCall2(u->build, LLVMFunctionType(u->none, params, 3, 0), b->bit, args, 3, "");
}

/*
 * The bit is written on the way, not before it: there it is a constant, and the condition need not
 * become a number first.
 */
static void write_on_edge(struct record_bits *b, LLVMValueRef branch, unsigned successor)
{
	LLVMMetadataRef location = LLVMGetCurrentDebugLocation2(b->u->build);
	LLVMBasicBlockRef edge = cfg_split_edge(LLVMGetInstructionParent(branch),
						LLVMGetSuccessor(branch, successor));

	LLVMPositionBuilderBefore(b->u->build, LLVMGetBasicBlockTerminator(edge));
	LLVMSetCurrentDebugLocation2(b->u->build, location);
	add_bit(b, LLVMConstInt(b->u->i1, successor == 0, 0));
}

/* Computes, and neither reads memory nor can fail. */
static bool is_plain(LLVMValueRef i)
{
	LLVMOpcode op = LLVMGetInstructionOpcode(i);

	return op == LLVMAdd || op == LLVMSub || op == LLVMMul || op == LLVMAnd || op == LLVMOr ||
	       op == LLVMXor || op == LLVMShl || op == LLVMLShr || op == LLVMAShr ||
	       op == LLVMICmp || op == LLVMFCmp || op == LLVMFAdd || op == LLVMFSub ||
	       op == LLVMFMul || op == LLVMSelect || op == LLVMGetElementPtr || op == LLVMTrunc ||
	       op == LLVMZExt || op == LLVMSExt || op == LLVMSIToFP || op == LLVMFPExt ||
	       op == LLVMFPTrunc;
}

#define SELECT_AT_MOST 3 /* instructions worth executing for nothing */

/* Where a block leads that only this branch leads to and that only computes a little; or NULL. */
static LLVMBasicBlockRef side_of(LLVMBasicBlockRef block)
{
	LLVMUseRef use = LLVMGetFirstUse(LLVMBasicBlockAsValue(block));
	LLVMValueRef last = LLVMGetBasicBlockTerminator(block);
	unsigned n = 0;

	if (!use || LLVMGetNextUse(use) || !LLVMIsABranchInst(last) || LLVMIsConditional(last))
		return NULL;
	for (LLVMValueRef i = LLVMGetFirstInstruction(block); i != last;
	     i = LLVMGetNextInstruction(i)) {
		if (LLVMIsADbgInfoIntrinsic(i))
			continue;
		if (!is_plain(i) || ++n > SELECT_AT_MOST)
			return NULL;
	}
	return LLVMGetSuccessor(last, 0);
}

/* A choice between two values, which the compiler makes without a branch. */
static bool is_select(LLVMValueRef branch)
{
	LLVMBasicBlockRef a = LLVMGetSuccessor(branch, 0), b = LLVMGetSuccessor(branch, 1);
	LLVMBasicBlockRef behind_a = side_of(a), behind_b = side_of(b);

	return behind_a == b || behind_b == a || (behind_a && behind_a == behind_b);
}

#define LOOK_BACK 32 /* values */

/* Is there a local in it that may not have been set? */
static bool may_be_undefined(LLVMValueRef condition)
{
	VEC(LLVMValueRef) work = VEC_INIT;
	struct ptrmap seen = PTRMAP_INIT;
	bool found = false;
	unsigned n = 0;

	vec_push(&work, condition);
	while (work.count && !found) {
		LLVMValueRef v = vec_pop(&work);

		if (LLVMIsUndef(v) || ++n > LOOK_BACK)
			found = true;
		else if ((LLVMIsAPHINode(v) || (LLVMIsAInstruction(v) && is_plain(v))) &&
			 ptrmap_add(&seen, v))
			for (int i = 0; i < LLVMGetNumOperands(v); i++)
				vec_push(&work, LLVMGetOperand(v, (unsigned)i));
	}
	ptrmap_free(&seen);
	vec_free(&work);
	return found;
}

void record_bits_branch(struct record_bits *b, LLVMValueRef branch)
{
	LLVMValueRef value = LLVMGetCondition(branch);

	unit_build_before(b->u, branch);
	/* Written and branched on, it must be one value; but the compiler knows no minimum then. */
	if (may_be_undefined(value))
		value = LLVMBuildFreeze(b->u->build, value, "");
	LLVMSetCondition(branch, value);
	if (is_select(branch) || LLVMGetSuccessor(branch, 0) == LLVMGetSuccessor(branch, 1)) {
		add_bit(b, value);
		return;
	}
	write_on_edge(b, branch, 0);
	write_on_edge(b, branch, 1);
}

void record_bits_number(struct record_bits *b, LLVMValueRef value, unsigned bits)
{
	struct unit *u = b->u;
	LLVMTypeRef params[] = {u->i64, u->i64, u->ptr, u->ptr};
	LLVMValueRef args[] = {LLVMBuildZExt(u->build, value, u->i64, ""), unit_i64(u, bits), b->at,
			       b->word};

	if (bits)
		LLVMBuildCall2(u->build, LLVMFunctionType(u->none, params, 4, 0), b->push, args, 4,
			       "");
}

void record_bits_target(struct record_bits *b, LLVMValueRef address)
{
	struct unit *u = b->u;
	LLVMTypeRef type = LLVMFunctionType(u->none, &u->ptr, 1, 0);

	LLVMBuildCall2(u->build, type, declare(u, "heddle_record_target", type), &address, 1, "");
	reload(b, b->at, b->word);
}

/* ---- paths ---- */

/* A word as a whole goes where `at' points, which goes on; a chunk ends where a page does. */
static void write_word(struct record_bits *b, LLVMValueRef f, LLVMValueRef word)
{
	struct unit *u = b->u;
	LLVMValueRef at_slot = LLVMGetParam(f, 1), at, next, step = unit_i64(u, 1), ends, f_spill;
	LLVMBasicBlockRef more = LLVMAppendBasicBlockInContext(u->ctx, f, "");
	LLVMBasicBlockRef done = LLVMAppendBasicBlockInContext(u->ctx, f, "");
	LLVMTypeRef type;

	at = LLVMBuildLoad2(u->build, u->ptr, at_slot, "");
	store_word(b, word, at);
	next = LLVMBuildGEP2(u->build, u->i64, at, &step, 1, "");
	LLVMBuildStore(u->build, next, at_slot);
	ends = LLVMBuildAnd(u->build, LLVMBuildPtrToInt(u->build, next, u->i64, ""),
			    unit_i64(u, RECORD_PATH_PAGE - 1), "");
	ends = LLVMBuildICmp(u->build, LLVMIntEQ, ends, unit_i64(u, 0), "");
	LLVMBuildCondBr(u->build, ends, more, done);
	LLVMPositionBuilderAtEnd(u->build, more);
	f_spill = spill_function(u, &type);
	next = LLVMBuildCall2(u->build, type, f_spill, &at, 1, "");
	LLVMSetInstructionCallConv(next, PRESERVE_MOST);
	LLVMBuildStore(u->build, next, at_slot);
	LLVMBuildBr(u->build, done);
	LLVMPositionBuilderAtEnd(u->build, done);
	next = LLVMBuildLoad2(u->build, u->ptr, at_slot, "");
	tagged(b, LLVMBuildStore(u->build, next, thread_address(b)), b->place_tag);
	LLVMBuildRetVoid(u->build);
}

/* void path(i64 word, ptr at): nothing when the lower half, the number, is 0. */
void record_bits_init_paths(struct record_bits *b, uint32_t unit)
{
	struct unit *u = b->u;
	LLVMTypeRef params[] = {u->i64, u->ptr};
	LLVMValueRef f = helper(u, "heddle.record.path", LLVMFunctionType(u->none, params, 2, 0)),
		     none;
	LLVMBasicBlockRef write = LLVMAppendBasicBlockInContext(u->ctx, f, "");
	LLVMBasicBlockRef skip = LLVMAppendBasicBlockInContext(u->ctx, f, "");

	none = LLVMBuildICmp(u->build, LLVMIntEQ,
			     LLVMBuildTrunc(u->build, LLVMGetParam(f, 0), u->i32, ""),
			     unit_i32(u, 0), "");
	LLVMBuildCondBr(u->build, none, skip, write);
	LLVMPositionBuilderAtEnd(u->build, skip);
	LLVMBuildRetVoid(u->build);
	LLVMPositionBuilderAtEnd(u->build, write);
	write_word(b, f, LLVMGetParam(f, 0));
	b->path = f;
	b->unit = unit;
}

static void add_path(struct record_bits *b, LLVMValueRef number, uint32_t unit)
{
	struct unit *u = b->u;
	LLVMTypeRef params[] = {u->i64, u->ptr};
	LLVMValueRef args[] = {LLVMBuildOr(u->build, LLVMBuildZExt(u->build, number, u->i64, ""),
					   unit_i64(u, RECORD_PATH_FULL | (uint64_t)unit << 32),
					   ""),
			       b->at};

	LLVMBuildCall2(u->build, LLVMFunctionType(u->none, params, 2, 0), b->path, args, 2, "");
}

void record_bits_path(struct record_bits *b, LLVMValueRef number)
{
	add_path(b, number, b->unit);
}

void record_bits_path_target(struct record_bits *b, LLVMValueRef address)
{
	struct unit *u = b->u;
	LLVMTypeRef type = LLVMFunctionType(u->i32, &u->ptr, 1, 0);
	LLVMValueRef number = LLVMBuildCall2(
		u->build, type, declare(u, "heddle_record_number", type), &address, 1, "");

	add_path(b, number, 0);
}
