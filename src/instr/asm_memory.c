/* Statements with a memory operand, and those that ask the processor. */
#include "instr/asm_priv.h"

#include <string.h>

static LLVMTypeRef integer(struct asm_state *s, unsigned bytes)
{
	return LLVMIntTypeInContext(s->u->ctx, bytes * 8);
}

static LLVMValueRef constant(struct asm_state *s, unsigned bytes, int64_t value)
{
	return LLVMConstInt(integer(s, bytes), (unsigned long long)value, 1);
}

/* x86 orders a move as acquire and release do; what others do in between it does not hide. */
static LLVMValueRef load(struct asm_state *s, LLVMValueRef address, unsigned bytes)
{
	LLVMValueRef value = LLVMBuildLoad2(s->u->build, integer(s, bytes), address, "");

	LLVMSetOrdering(value, LLVMAtomicOrderingAcquire);
	LLVMSetAlignment(value, bytes);
	return value;
}

static void store(struct asm_state *s, LLVMValueRef address, LLVMValueRef value)
{
	LLVMValueRef i = LLVMBuildStore(s->u->build, value, address);

	LLVMSetOrdering(i, LLVMAtomicOrderingRelease);
	LLVMSetAlignment(i, LLVMGetIntTypeWidth(LLVMTypeOf(value)) / 8);
}

static LLVMValueRef locked(struct asm_state *s, LLVMAtomicRMWBinOp op, LLVMValueRef address,
			   LLVMValueRef operand)
{
	return LLVMBuildAtomicRMW(s->u->build, op, address, operand,
				  LLVMAtomicOrderingSequentiallyConsistent, 0);
}

static const struct {
	const char *name, *op;
	LLVMAtomicRMWBinOp rmw;
} arithmetic[] = {
	{"add", "add", LLVMAtomicRMWBinOpAdd}, {"sub", "sub", LLVMAtomicRMWBinOpSub},
	{"and", "and", LLVMAtomicRMWBinOpAnd}, {"or", "or", LLVMAtomicRMWBinOpOr},
	{"xor", "xor", LLVMAtomicRMWBinOpXor}, {"inc", "inc", LLVMAtomicRMWBinOpAdd},
	{"dec", "dec", LLVMAtomicRMWBinOpSub}, {"not", "not", LLVMAtomicRMWBinOpXor},
};

/* An operation on the thread's own stack that changes nothing is a fence. */
static bool is_stack_fence(const struct asm_statement *st, const struct asm_part *to)
{
	return to->form == ASM_MEMORY && to->operand < 0 && !strcmp(to->reg, "sp") && st->lock &&
	       st->count == 2 && st->parts[0].form == ASM_IMMEDIATE && !st->parts[0].value &&
	       (!strncmp(st->mnemonic, "add", 3) || !strncmp(st->mnemonic, "or", 2));
}

static LLVMValueRef second_operand(struct asm_state *s, const struct asm_statement *st,
				   const char *name, unsigned bytes)
{
	if (st->count == 2)
		return asm_read_register(s, &st->parts[0], bytes);
	return constant(s, bytes, !strcmp(name, "not") ? -1 : 1);
}

/* op source, memory */
static bool do_arithmetic(struct asm_state *s, const struct asm_statement *st, const char *name,
			  unsigned bytes)
{
	const struct asm_part *to = &st->parts[st->count - 1];
	LLVMValueRef address = asm_address(s, to), operand, old;
	bool unary = strchr("idn", name[0]) != NULL;

	for (size_t i = 0; i < sizeof(arithmetic) / sizeof(arithmetic[0]); i++) {
		if (strcmp(arithmetic[i].name, name) || st->count != (unary ? 1 : 2) || !address)
			continue;
		operand = second_operand(s, st, name, bytes);
		if (!operand)
			return false;
		old = st->lock ? locked(s, arithmetic[i].rmw, address, operand)
			       : load(s, address, bytes);
		operand = asm_compute(s, arithmetic[i].op, old, operand);
		if (!st->lock)
			store(s, address, operand);
		return true;
	}
	return false;
}

static bool do_compare(struct asm_state *s, const struct asm_statement *st, const char *name,
		       unsigned bytes)
{
	int at = asm_address(s, &st->parts[0]) ? 0 : 1;
	LLVMValueRef value, other;

	if (st->lock || st->count != 2)
		return false;
	other = asm_read_register(s, &st->parts[1 - at], bytes);
	if (!other)
		return false;
	value = load(s, asm_address(s, &st->parts[at]), bytes);
	if (at == 0)
		asm_compute(s, name, other, value);
	else
		asm_compute(s, name, value, other);
	return true;
}

static bool do_move(struct asm_state *s, const struct asm_statement *st, unsigned bytes)
{
	LLVMValueRef from = asm_address(s, &st->parts[0]), to = asm_address(s, &st->parts[1]), value;

	if (st->count != 2 || st->lock || (from && to))
		return false;
	if (from)
		return asm_write_register(s, &st->parts[1], load(s, from, bytes));
	value = asm_read_register(s, &st->parts[0], bytes);
	if (!value)
		return false;
	store(s, to, value);
	return true;
}

static bool do_exchange(struct asm_state *s, const struct asm_statement *st, unsigned bytes)
{
	int at = asm_address(s, &st->parts[0]) ? 0 : 1;
	LLVMValueRef value;

	if (st->count != 2)
		return false;
	value = asm_read_register(s, &st->parts[1 - at], bytes);
	if (!value)
		return false;
	value = locked(s, LLVMAtomicRMWBinOpXchg, asm_address(s, &st->parts[at]), value);
	return asm_write_register(s, &st->parts[1 - at], value);
}

static bool do_exchange_add(struct asm_state *s, const struct asm_statement *st, unsigned bytes)
{
	LLVMValueRef operand, old, address = asm_address(s, &st->parts[1]);

	if (st->count != 2 || !address)
		return false;
	operand = asm_read_register(s, &st->parts[0], bytes);
	if (!operand)
		return false;
	old = st->lock ? locked(s, LLVMAtomicRMWBinOpAdd, address, operand) : load(s, address, bytes);
	operand = asm_compute(s, "add", old, operand);
	if (!st->lock)
		store(s, address, operand);
	return asm_write_register(s, &st->parts[0], old);
}

/* Without lock the processor reads, and writes back what it read or the new value. */
static LLVMValueRef exchange_if_equal(struct asm_state *s, bool lock, LLVMValueRef address,
				      LLVMValueRef pair[2])
{
	LLVMBuilderRef b = s->u->build;
	LLVMValueRef old, same;

	if (lock) {
		old = LLVMBuildAtomicCmpXchg(b, address, pair[0], pair[1],
					     LLVMAtomicOrderingSequentiallyConsistent,
					     LLVMAtomicOrderingSequentiallyConsistent, 0);
		return LLVMBuildExtractValue(b, old, 0, "");
	}
	old = load(s, address, LLVMGetIntTypeWidth(LLVMTypeOf(pair[0])) / 8);
	same = LLVMBuildICmp(b, LLVMIntEQ, old, pair[0], "");
	store(s, address, LLVMBuildSelect(b, same, pair[1], old, ""));
	return old;
}

static bool do_compare_exchange(struct asm_state *s, const struct asm_statement *st, unsigned bytes)
{
	LLVMValueRef address = asm_address(s, &st->parts[1]), pair[2], old;

	if (st->count != 2 || !address)
		return false;
	pair[0] = asm_get(s, "ax", bytes);
	pair[1] = asm_read_register(s, &st->parts[0], bytes);
	if (!pair[0] || !pair[1])
		return false;
	old = exchange_if_equal(s, st->lock, address, pair);
	asm_compute(s, "sub", pair[0], old);
	return asm_set(s, "ax", old);
}

/* Two registers of half the width as one value. */
static LLVMValueRef joined(struct asm_state *s, const char *low, const char *high, unsigned half)
{
	LLVMValueRef l = asm_get(s, low, half), h = asm_get(s, high, half);
	LLVMTypeRef type = integer(s, 2 * half);
	LLVMBuilderRef b = s->u->build;

	if (!l || !h)
		return NULL;
	h = LLVMBuildShl(b, LLVMBuildZExt(b, h, type, ""), LLVMConstInt(type, half * 8, 0), "");
	return LLVMBuildOr(b, LLVMBuildZExt(b, l, type, ""), h, "");
}

static bool do_double_exchange(struct asm_state *s, const struct asm_statement *st, unsigned half)
{
	LLVMValueRef address = asm_address(s, &st->parts[0]), pair[2], old, high;
	LLVMTypeRef type = integer(s, 2 * half);
	LLVMBuilderRef b = s->u->build;

	if (st->count != 1 || !address || !st->lock)
		return false;
	pair[0] = joined(s, "ax", "dx", half);
	pair[1] = joined(s, "bx", "cx", half);
	if (!pair[0] || !pair[1])
		return false;
	old = exchange_if_equal(s, true, address, pair);
	memset(&s->flags, 0, sizeof(s->flags));
	s->flags.zero = LLVMBuildICmp(b, LLVMIntEQ, old, pair[0], "");
	high = LLVMBuildLShr(b, old, LLVMConstInt(type, half * 8, 0), "");
	return asm_set(s, "ax", LLVMBuildTrunc(b, old, integer(s, half), "")) &&
	       asm_set(s, "dx", LLVMBuildTrunc(b, high, integer(s, half), ""));
}

/* A bit in a register's number of bits may lie outside the operand: x86 goes there. */
static LLVMValueRef word_of_bit(struct asm_state *s, LLVMValueRef address, LLVMValueRef *index,
				unsigned bytes)
{
	LLVMBuilderRef b = s->u->build;
	LLVMTypeRef type = LLVMTypeOf(*index);
	LLVMValueRef word =
		LLVMBuildAShr(b, *index, LLVMConstInt(type, bytes == 8 ? 6 : 5, 0), "");

	*index = LLVMBuildAnd(b, *index, LLVMConstInt(type, bytes * 8 - 1, 0), "");
	word = LLVMBuildSExtOrBitCast(b, word, s->u->i64, "");
	return LLVMBuildGEP2(b, integer(s, bytes), address, &word, 1, "");
}

static bool do_bit(struct asm_state *s, const struct asm_statement *st, const char *name,
		   unsigned bytes)
{
	LLVMValueRef address = asm_address(s, &st->parts[1]), index, mask, old;
	LLVMBuilderRef b = s->u->build;
	bool reset = name[2] == 'r', complement = name[2] == 'c';

	if (st->count != 2 || !address || bytes < 4 || (name[2] && !st->lock))
		return false;
	index = asm_read_register(s, &st->parts[0], bytes);
	if (!index)
		return false;
	if (st->parts[0].form == ASM_IMMEDIATE)
		index = LLVMBuildAnd(b, index, LLVMConstInt(integer(s, bytes), bytes * 8 - 1, 0), "");
	else
		address = word_of_bit(s, address, &index, bytes);
	mask = LLVMBuildShl(b, LLVMConstInt(integer(s, bytes), 1, 0), index, "");
	if (!name[2])
		old = load(s, address, bytes);
	else if (reset)
		old = locked(s, LLVMAtomicRMWBinOpAnd, address, LLVMBuildNot(b, mask, ""));
	else
		old = locked(s, complement ? LLVMAtomicRMWBinOpXor : LLVMAtomicRMWBinOpOr, address,
			     mask);
	old = LLVMBuildAnd(b, old, mask, "");
	s->flags.sign = s->flags.overflow = NULL;
	s->flags.carry =
		LLVMBuildICmp(b, LLVMIntNE, old, LLVMConstNull(integer(s, bytes)), "");
	return true;
}

bool asm_do_memory(struct asm_state *s, const struct asm_statement *st, const char *name,
		   unsigned bytes)
{
	for (int i = 0; i < st->count && !bytes; i++)
		bytes = asm_address(s, &st->parts[i]) ? 0 : asm_width(s, &st->parts[i]);
	for (int i = 0; i < st->count && !bytes; i++)
		bytes = asm_width(s, &st->parts[i]);
	if (is_stack_fence(st, &st->parts[st->count - 1])) {
		LLVMBuildFence(s->u->build, LLVMAtomicOrderingSequentiallyConsistent, 0, "");
		memset(&s->flags, 0, sizeof(s->flags));
		return true;
	}
	if (!strcmp(name, "cmpxchg16b") || !strcmp(name, "cmpxchg8b"))
		return do_double_exchange(s, st, name[7] == '1' ? 8 : 4);
	if (!bytes)
		return false;
	if (!strcmp(name, "mov") || !strcmp(name, "movnti"))
		return do_move(s, st, bytes);
	if (!strcmp(name, "xchg"))
		return do_exchange(s, st, bytes);
	if (!strcmp(name, "xadd"))
		return do_exchange_add(s, st, bytes);
	if (!strcmp(name, "cmpxchg"))
		return do_compare_exchange(s, st, bytes);
	if (!strcmp(name, "cmp") || !strcmp(name, "test"))
		return do_compare(s, st, name, bytes);
	if (!strncmp(name, "bt", 2) && strlen(name) <= 3)
		return do_bit(s, st, name, bytes);
	return do_arithmetic(s, st, name, bytes);
}

/* ---- blocks, clocks, random numbers, fences ---- */

static bool advance(struct asm_state *s, const char *reg, LLVMValueRef by)
{
	LLVMValueRef value = asm_get(s, reg, 8);

	return value && asm_set(s, reg, LLVMBuildAdd(s->u->build, value, by, ""));
}

/* rep movs and rep stos; the direction flag is clear between statements of C. */
static bool do_block(struct asm_state *s, const struct asm_statement *st)
{
	static const char widths[] = "b1w2l4q8";
	const char *width = strchr(widths, st->mnemonic[4]);
	bool moves = !strncmp(st->mnemonic, "movs", 4);
	LLVMValueRef count = asm_get(s, "cx", 8), to = asm_get(s, "di", 8), from;
	LLVMBuilderRef b = s->u->build;

	if (!st->rep || st->count || !st->mnemonic[4] || st->mnemonic[5] || !width || !count || !to)
		return false;
	from = moves ? asm_get(s, "si", 8) : asm_get(s, "ax", 8);
	if (!from || (!moves && width[1] != '1' && !LLVMIsNull(from)))
		return false;
	count = LLVMBuildMul(b, count, unit_i64(s->u, (uint64_t)(width[1] - '0')), "");
	to = LLVMBuildIntToPtr(b, to, s->u->ptr, "");
	if (moves)
		LLVMBuildMemMove(b, to, 1, LLVMBuildIntToPtr(b, from, s->u->ptr, ""), 1, count);
	else
		LLVMBuildMemSet(b, to, LLVMBuildTrunc(b, from, s->u->i8, ""), count, 1);
	return advance(s, "di", count) && (!moves || advance(s, "si", count)) &&
	       asm_set(s, "cx", unit_i64(s->u, 0));
}

static LLVMValueRef call_library(struct asm_state *s, const char *name, LLVMTypeRef type,
				 LLVMValueRef *args)
{
	LLVMValueRef f = LLVMGetNamedFunction(s->u->mod, name);

	if (!f)
		f = LLVMAddFunction(s->u->mod, name, type);
	return LLVMBuildCall2(s->u->build, type, f, args, LLVMCountParamTypes(type), "");
}

/* The counter is the clock in nanoseconds: it is read where the program reads it, in its time. */
static LLVMValueRef read_clock(struct asm_state *s)
{
	struct unit *u = s->u;
	LLVMTypeRef params[] = {u->i32, u->ptr};
	LLVMValueRef slot = unit_slot(u, LLVMArrayType2(u->i64, 2)), part, at = unit_i64(u, 1);

	call_library(s, "clock_gettime", LLVMFunctionType(u->i32, params, 2, 0),
		     (LLVMValueRef[]){unit_i32(u, 1), slot});
	part = LLVMBuildLoad2(u->build, u->i64, slot, "");
	part = LLVMBuildMul(u->build, part, unit_i64(u, 1000000000), "");
	slot = LLVMBuildGEP2(u->build, u->i64, slot, &at, 1, "");
	return LLVMBuildAdd(u->build, part, LLVMBuildLoad2(u->build, u->i64, slot, ""), "");
}

static LLVMValueRef read_random(struct asm_state *s)
{
	struct unit *u = s->u;
	LLVMTypeRef params[] = {u->ptr, u->i64, u->i32};
	LLVMValueRef slot = unit_slot(u, u->i64);

	call_library(s, "getrandom", LLVMFunctionType(u->i64, params, 3, 0),
		     (LLVMValueRef[]){slot, unit_i64(u, 8), unit_i32(u, 0)});
	return LLVMBuildLoad2(u->build, u->i64, slot, "");
}

static bool do_counter(struct asm_state *s, bool with_processor)
{
	LLVMBuilderRef b = s->u->build;
	LLVMValueRef now = read_clock(s), high = LLVMBuildLShr(b, now, unit_i64(s->u, 32), "");

	if (with_processor && !asm_set(s, "cx", unit_i32(s->u, 0)))
		return false;
	return asm_set(s, "ax", LLVMBuildTrunc(b, now, s->u->i32, "")) &&
	       asm_set(s, "dx", LLVMBuildTrunc(b, high, s->u->i32, ""));
}

static bool do_random(struct asm_state *s, const struct asm_statement *st)
{
	unsigned bytes = st->count == 1 ? asm_width(s, &st->parts[0]) : 0;
	LLVMValueRef value;

	if (!bytes || asm_address(s, &st->parts[0]))
		return false;
	value = LLVMBuildTruncOrBitCast(s->u->build, read_random(s), integer(s, bytes), "");
	memset(&s->flags, 0, sizeof(s->flags));
	s->flags.carry = LLVMConstInt(s->u->i1, 1, 0);
	return asm_write_register(s, &st->parts[0], value);
}

static const struct {
	const char *name;
	LLVMAtomicOrdering order;
} fences[] = {
	{"mfence", LLVMAtomicOrderingSequentiallyConsistent},
	{"sfence", LLVMAtomicOrderingRelease}, /* stores among themselves */
	{"lfence", LLVMAtomicOrderingAcquire}, /* loads are never late in the models */
};

bool asm_do_system(struct asm_state *s, const struct asm_statement *st)
{
	if (!strcmp(st->mnemonic, "pause") || !strcmp(st->mnemonic, "nop"))
		return !st->lock && !st->count;
	for (size_t i = 0; i < sizeof(fences) / sizeof(fences[0]); i++)
		if (!strcmp(st->mnemonic, fences[i].name) && !st->count) {
			LLVMBuildFence(s->u->build, fences[i].order, 0, "");
			return true;
		}
	if (!strncmp(st->mnemonic, "movs", 4) || !strncmp(st->mnemonic, "stos", 4))
		return do_block(s, st);
	if (!strcmp(st->mnemonic, "rdtsc") || !strcmp(st->mnemonic, "rdtscp"))
		return !st->count && do_counter(s, st->mnemonic[5] == 'p');
	if (!strncmp(st->mnemonic, "rdrand", 6) || !strncmp(st->mnemonic, "rdseed", 6))
		return do_random(s, st);
	return false;
}
