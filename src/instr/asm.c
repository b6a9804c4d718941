#include "instr/asm.h"

#include <string.h>

#include "instr/asm_priv.h"
#include "instr/access.h"
#include "instr/name.h"

static LLVMTypeRef integer(struct asm_state *s, unsigned bytes)
{
	return LLVMIntTypeInContext(s->u->ctx, bytes * 8);
}

/* ---- places ---- */

static int find_place(struct asm_state *s, const char *reg)
{
	for (int i = 0; i < s->place_count; i++)
		if (reg[0] && !strcmp(s->places[i].reg, reg))
			return i;
	if (s->place_count == (int)(sizeof(s->places) / sizeof(s->places[0])))
		return -1;
	strcpy(s->places[s->place_count].reg, reg);
	s->places[s->place_count].value = NULL;
	return s->place_count++;
}

static int place_of(struct asm_state *s, const struct asm_part *p)
{
	if (p->form == ASM_REGISTER)
		return find_place(s, p->reg);
	if (p->form != ASM_OPERAND || p->operand >= s->all.count ||
	    s->all.items[p->operand].indirect)
		return -1;
	return s->place_of[p->operand];
}

static LLVMValueRef cut(struct asm_state *s, LLVMValueRef value, unsigned bytes)
{
	return value && bytes < 8 ? LLVMBuildTrunc(s->u->build, value, integer(s, bytes), "")
				  : value;
}

/* A write of four bytes clears the upper half, a narrower one leaves the rest. */
static bool write_place(struct asm_state *s, int at, LLVMValueRef value)
{
	unsigned bits = LLVMGetIntTypeWidth(LLVMTypeOf(value));
	LLVMBuilderRef b = s->u->build;
	LLVMValueRef rest;

	if (at < 0)
		return false;
	value = LLVMBuildZExtOrBitCast(b, value, s->u->i64, "");
	if (bits < 32 && s->places[at].value) {
		rest = LLVMBuildAnd(b, s->places[at].value,
				    unit_i64(s->u, ~((UINT64_C(1) << bits) - 1)), "");
		value = LLVMBuildOr(b, rest, value, "");
	}
	s->places[at].value = value;
	return true;
}

LLVMValueRef asm_get(struct asm_state *s, const char *reg, unsigned bytes)
{
	int at = find_place(s, reg);

	return at < 0 ? NULL : cut(s, s->places[at].value, bytes);
}

bool asm_set(struct asm_state *s, const char *reg, LLVMValueRef value)
{
	return write_place(s, find_place(s, reg), value);
}

LLVMValueRef asm_read_register(struct asm_state *s, const struct asm_part *p, unsigned bytes)
{
	int at;

	if (p->form == ASM_IMMEDIATE)
		return LLVMConstInt(integer(s, bytes), (unsigned long long)p->value, 1);
	at = p->high ? -1 : place_of(s, p);
	return at < 0 ? NULL : cut(s, s->places[at].value, bytes);
}

bool asm_write_register(struct asm_state *s, const struct asm_part *p, LLVMValueRef value)
{
	return !p->high && write_place(s, place_of(s, p), value);
}

static bool is_memory_operand(struct asm_state *s, const struct asm_part *p)
{
	return p->form == ASM_OPERAND && p->operand < s->all.count &&
	       s->all.items[p->operand].indirect;
}

LLVMValueRef asm_address(struct asm_state *s, const struct asm_part *p)
{
	struct asm_part base = {.form = p->operand < 0 ? ASM_REGISTER : ASM_OPERAND,
				.operand = p->operand};
	LLVMValueRef value, distance = unit_i64(s->u, (uint64_t)p->value);

	if (is_memory_operand(s, p))
		return LLVMGetArgOperand(s->call, (unsigned)s->all.items[p->operand].argument);
	if (p->form != ASM_MEMORY)
		return NULL;
	strcpy(base.reg, p->reg);
	value = asm_read_register(s, &base, 8);
	/* The stack pointer has no value here; asm_do_memory() knows the one use of it. */
	if (!value && !strcmp(base.reg, "sp"))
		return LLVMGetUndef(s->u->ptr);
	if (!value)
		return NULL;
	value = LLVMBuildIntToPtr(s->u->build, value, s->u->ptr, "");
	return LLVMBuildGEP2(s->u->build, s->u->i8, value, &distance, 1, "");
}

static LLVMTypeRef element_type(LLVMValueRef call, unsigned argument)
{
	LLVMAttributeRef a = LLVMGetCallSiteEnumAttribute(
		call, argument + 1, LLVMGetEnumAttributeKindForName("elementtype", 11));

	return a ? LLVMGetTypeAttributeValue(a) : NULL;
}

static unsigned type_bytes(struct asm_state *s, LLVMTypeRef type)
{
	return type ? access_integer_size(s->u, type) : 0;
}

unsigned asm_width(struct asm_state *s, const struct asm_part *p)
{
	const struct asm_constraint *c;
	LLVMTypeRef type = LLVMTypeOf(s->call);

	if (p->bytes || p->form != ASM_OPERAND || p->operand >= s->all.count)
		return p->bytes;
	c = &s->all.items[p->operand];
	if (c->tied >= 0)
		c = &s->all.items[c->tied];
	if (c->indirect)
		return type_bytes(s, element_type(s->call, (unsigned)c->argument));
	if (c->argument >= 0)
		return type_bytes(s, LLVMTypeOf(LLVMGetArgOperand(s->call, (unsigned)c->argument)));
	if (LLVMGetTypeKind(type) == LLVMStructTypeKind)
		type = LLVMStructGetTypeAtIndex(type, (unsigned)c->result);
	return type_bytes(s, type);
}

static bool do_set(struct asm_state *s, const struct asm_statement *st)
{
	LLVMValueRef value = asm_condition(s, st->mnemonic + 3), to;

	if (!value || st->count != 1 || st->lock || st->parts[0].high)
		return false;
	value = LLVMBuildZExt(s->u->build, value, s->u->i8, "");
	to = asm_address(s, &st->parts[0]);
	if (!to)
		return write_place(s, place_of(s, &st->parts[0]), value);
	LLVMBuildStore(s->u->build, value, to);
	return true;
}

/* Registers only. */
static bool do_register(struct asm_state *s, const struct asm_statement *st, const char *name,
			unsigned bytes)
{
	static const char *const known[] = {"add", "sub",  "and", "or",	 "xor",
					    "cmp", "test", "inc", "dec", "not"};
	const struct asm_part *to = &st->parts[st->count - 1];
	LLVMValueRef a, b;

	for (int i = st->count - 1; i >= 0 && !bytes; i--)
		bytes = asm_width(s, &st->parts[i]);
	if (!bytes || st->lock || st->rep || !st->count)
		return false;
	if (!strcmp(name, "mov") && st->count == 2) {
		a = asm_read_register(s, &st->parts[0], bytes);
		return a && asm_write_register(s, to, a);
	}
	if (!strcmp(name, "sbb") && st->count == 2 && s->flags.carry &&
	    place_of(s, &st->parts[0]) == place_of(s, to))
		return asm_write_register(
			s, to, LLVMBuildSExt(s->u->build, s->flags.carry, integer(s, bytes), ""));
	a = asm_read_register(s, to, bytes);
	b = st->count == 2 ? asm_read_register(s, &st->parts[0], bytes)
			   : LLVMConstInt(integer(s, bytes), name[0] == 'n' ? ~0ULL : 1, 1);
	/* Something without itself is zero, whatever it was. */
	if (!a && st->count == 2 && !strcmp(name, "xor") && place_of(s, to) >= 0 &&
	    place_of(s, to) == place_of(s, &st->parts[0]))
		a = b = LLVMConstNull(integer(s, bytes));
	for (size_t i = 0; a && b && i < sizeof(known) / sizeof(known[0]); i++)
		if (!strcmp(known[i], name)) {
			a = asm_compute(s, name, a, b);
			return name[0] == 'c' || name[0] == 't' || asm_write_register(s, to, a);
		}
	return false;
}

/* The names that may carry a letter for the width. */
static unsigned split_width(const char *mnemonic, char *name)
{
	static const char *const stems[] = {"add", "sub", "and",  "or",	 "xor",	    "inc",   "dec",
					    "not", "cmp", "test", "mov", "xchg",    "xadd",  "sbb",
					    "bt",  "bts", "btr",  "btc", "cmpxchg", "movnti"};
	size_t n = strlen(mnemonic);
	const char *letter = n ? strchr("b1w2l4q8", mnemonic[n - 1]) : NULL;

	strcpy(name, mnemonic);
	for (size_t i = 0; i < sizeof(stems) / sizeof(stems[0]); i++)
		if (!strcmp(mnemonic, stems[i]))
			return 0;
	for (size_t i = 0; letter && i < sizeof(stems) / sizeof(stems[0]); i++)
		if (strlen(stems[i]) == n - 1 && !strncmp(mnemonic, stems[i], n - 1)) {
			name[n - 1] = 0;
			return (unsigned)(letter[1] - '0');
		}
	return 0;
}

static bool do_statement(struct asm_state *s, const struct asm_statement *st)
{
	char name[ASM_NAME];
	unsigned bytes = split_width(st->mnemonic, name);
	bool memory = false;

	for (int i = 0; i < st->count; i++)
		memory |= st->parts[i].form == ASM_MEMORY || is_memory_operand(s, &st->parts[i]);
	if (asm_do_system(s, st))
		return true;
	if (!strncmp(st->mnemonic, "set", 3))
		return do_set(s, st);
	return memory ? asm_do_memory(s, st, name, bytes) : do_register(s, st, name, bytes);
}

/* ---- the assembly as a whole ---- */

static LLVMValueRef as_register(struct asm_state *s, LLVMValueRef value)
{
	unsigned bytes = access_integer_size(s->u, LLVMTypeOf(value));

	if (!bytes || LLVMGetTypeKind(LLVMTypeOf(value)) == LLVMVectorTypeKind)
		return NULL;
	value = access_to_integer(s->u, value, bytes);
	return LLVMBuildZExtOrBitCast(s->u->build, value, s->u->i64, "");
}

static bool bind_operands(struct asm_state *s)
{
	for (int i = 0; i < s->all.count; i++) {
		const struct asm_constraint *c = &s->all.items[i];
		LLVMValueRef value;
		int at;

		if (c->indirect || c->flag[0])
			continue;
		if (c->tied >= 0 && s->all.items[c->tied].indirect)
			return false;
		at = c->tied >= 0 ? s->place_of[c->tied] : find_place(s, c->fixed);
		s->place_of[i] = at;
		if (at < 0)
			return false;
		if (c->argument < 0)
			continue;
		value = as_register(s, LLVMGetArgOperand(s->call, (unsigned)c->argument));
		if (!value)
			return false;
		s->places[at].value = value;
	}
	return true;
}

static LLVMValueRef result_of(struct asm_state *s, int operand, LLVMTypeRef type)
{
	const struct asm_constraint *c = &s->all.items[operand];
	unsigned bytes = access_integer_size(s->u, type);
	LLVMValueRef value;

	if (c->flag[0]) {
		value = asm_condition(s, c->flag);
		return value ? LLVMBuildZExtOrBitCast(s->u->build, value, type, "") : NULL;
	}
	value = s->places[s->place_of[operand]].value;
	if (!value || !bytes)
		return NULL;
	return access_from_integer(s->u, cut(s, value, bytes), type);
}

/* The value the call yields; *ok false when an output was not set. */
static LLVMValueRef result(struct asm_state *s, bool *ok)
{
	LLVMTypeRef type = LLVMTypeOf(s->call);
	bool several = LLVMGetTypeKind(type) == LLVMStructTypeKind;
	LLVMValueRef all = several ? LLVMGetUndef(type) : NULL, one;

	*ok = true;
	for (int i = 0; i < s->all.count && *ok; i++) {
		int at = s->all.items[i].result;

		if (at < 0)
			continue;
		one = result_of(s, i,
				several ? LLVMStructGetTypeAtIndex(type, (unsigned)at) : type);
		if (!one)
			*ok = false;
		else
			all = several ? LLVMBuildInsertValue(s->u->build, all, one, (unsigned)at,
							     "")
				      : one;
	}
	return all;
}

static bool carry_out(struct asm_state *s, LLVMValueRef callee)
{
	struct asm_statement st;
	size_t bytes;
	const char *text = LLVMGetInlineAsmConstraintString(callee, &bytes), *end;
	int more;

	if (LLVMGetInlineAsmDialect(callee) != LLVMInlineAsmDialectATT ||
	    !asm_parse_constraints(text, bytes, &s->all) || !bind_operands(s))
		return false;
	text = LLVMGetInlineAsmAsmString(callee, &bytes);
	end = text + bytes;
	while ((more = asm_parse_statement(&text, end, &st)) > 0)
		if (!do_statement(s, &st))
			return false;
	return more == 0;
}

/* Takes back what was built in front of the call. */
static void forget(struct unit *u, LLVMValueRef call, LLVMValueRef before)
{
	LLVMBasicBlockRef block = LLVMGetInstructionParent(call);

	for (;;) {
		LLVMValueRef last = LLVMGetPreviousInstruction(call);

		if (!last || last == before || LLVMGetInstructionParent(last) != block)
			return;
		name_forget(u, last);
		LLVMInstructionEraseFromParent(last);
	}
}

static void translate(struct unit *u, LLVMValueRef call)
{
	struct asm_state s = {.u = u, .call = call};
	LLVMValueRef before = LLVMGetPreviousInstruction(call), value = NULL;
	bool ok;

	unit_build_before(u, call);
	ok = carry_out(&s, LLVMGetCalledValue(call));
	if (ok)
		value = result(&s, &ok);
	if (ok)
		access_replace(u, call, value);
	else
		forget(u, call, before);
}

void asm_translate(struct unit *u)
{
	VEC(LLVMValueRef) list = VEC_INIT;

	for (LLVMValueRef f = LLVMGetFirstFunction(u->mod); f; f = LLVMGetNextFunction(f))
		for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b;
		     b = LLVMGetNextBasicBlock(b))
			for (LLVMValueRef i = LLVMGetFirstInstruction(b); i;
			     i = LLVMGetNextInstruction(i))
				if (LLVMIsACallInst(i) && LLVMIsAInlineAsm(LLVMGetCalledValue(i)))
					vec_push(&list, i);
	for (size_t i = 0; i < list.count; i++)
		translate(u, list.items[i]);
	vec_free(&list);
}

/* ---- what was left ---- */

/* Statements that ask the system or go to memory without an operand that says so. */
static bool reaches_out(const char *text, size_t bytes)
{
	static const char *const words[] = {"syscall", "sysenter", "int ",  "int\t",  "rdtsc",
					    "rdrand",  "rdseed",   "rdpmc", "xbegin", "xend",
					    "xabort",  "in ",	   "out ",  "call",   "push",
					    "pop",     "movs",	   "stos",  "lods",   "cmps",
					    "scas",    "ret",	   "jmp",   "rip",    "("};

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (memmem(text, bytes, words[i], strlen(words[i])))
			return true;
	return false;
}

bool asm_may_touch(LLVMValueRef call)
{
	LLVMValueRef callee = LLVMGetCalledValue(call);
	size_t bytes, constraint_bytes;
	const char *text = LLVMGetInlineAsmAsmString(callee, &bytes);
	const char *constraints = LLVMGetInlineAsmConstraintString(callee, &constraint_bytes);

	if (!bytes)
		return false;
	for (unsigned i = 0; i < LLVMGetNumArgOperands(call); i++)
		if (LLVMGetTypeKind(LLVMTypeOf(LLVMGetArgOperand(call, i))) == LLVMPointerTypeKind)
			return true;
	return memmem(constraints, constraint_bytes, "~{memory}", 9) ||
	       memchr(constraints, '*', constraint_bytes) || reaches_out(text, bytes);
}
