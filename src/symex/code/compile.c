/* Functions to register code: slots, blocks, jumps and the moves of phis. */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <llvm-c/DebugInfo.h>

#include "ir/canon.h"
#include "symex/code/compile_priv.h"

#define SPARE_WORDS 24
#define TLS_WORDS 8 /* at the end of them: addresses of thread-local variables */

struct code_insn *compile_emit(struct compiler *k, enum code_op op)
{
	vec_push(&k->c->insns, ((struct code_insn){.op = (uint16_t)op}));
	vec_push(&k->c->lines, k->line);
	return &vec_last(&k->c->insns);
}

uint32_t compile_word(struct compiler *k, uint64_t word)
{
	/* Most functions have few constants. */
	for (size_t i = 0; i < k->c->consts.count && i < 64; i++)
		if (k->c->consts.items[i] == word)
			return k->consts_at + (uint32_t)i;
	vec_push(&k->c->consts, word);
	return k->consts_at + (uint32_t)k->c->consts.count - 1;
}

uint32_t compile_slot(struct compiler *k, LLVMValueRef v)
{
	uintptr_t found;
	bool known = ptrmap_get(&k->slots, v, &found);

	assert(known);
	return known ? (uint32_t)found - 1 : 0;
}

uint32_t compile_words(struct compiler *k, LLVMValueRef v)
{
	return program_words_of(k->p, LLVMTypeOf(v));
}

/* Another number in every thread: computed where it is used. */
static uint32_t thread_local_address(struct compiler *k, LLVMValueRef v)
{
	struct code_insn *i = compile_emit(k, CODE_TLS);
	uintptr_t offset = 0;

	(void)ptrmap_get(&k->p->global_of, v, &offset);
	i->d = k->consts_at - TLS_WORDS + k->tls_next++ % TLS_WORDS;
	i->imm = (int64_t)offset;
	return i->d;
}

uint32_t compile_operand(struct compiler *k, LLVMValueRef v)
{
	struct program_words words = VEC_INIT;
	uintptr_t found;
	uint32_t first;

	if (ptrmap_get(&k->slots, v, &found))
		return (uint32_t)found - 1;
	if (LLVMIsAGlobalVariable(v) && LLVMIsThreadLocal(v))
		return thread_local_address(k, v);
	if (!LLVMIsConstant(v) || !program_constant(k->p, v, &words)) {
		vec_free(&words);
		compile_unknown(k, "constant", v);
		return compile_word(k, 0);
	}
	if (words.count == 1) {
		first = compile_word(k, words.items[0]);
	} else {
		first = k->consts_at + (uint32_t)k->c->consts.count;
		for (size_t i = 0; i < words.count; i++)
			vec_push(&k->c->consts, words.items[i]);
	}
	ptrmap_set(&k->slots, v, first + 1);
	vec_free(&words);
	return first;
}

void compile_unknown(struct compiler *k, const char *what, LLVMValueRef at)
{
	char *text = at ? LLVMPrintValueToString(at) : NULL;
	struct code_insn *i = compile_emit(k, CODE_UNKNOWN);
	char line[200];

	snprintf(line, sizeof(line), "%s: %.150s", what, text ? text : "");
	i->x = (uint32_t)k->c->texts.count;
	vec_push(&k->c->texts, xstrdup(line));
	if (text)
		LLVMDisposeMessage(text);
}

void compile_fix(struct compiler *k, struct compile_fixup fixup)
{
	vec_push(&k->fixups, fixup);
}

unsigned compile_scalar_width(struct compiler *k, LLVMTypeRef type)
{
	if (LLVMGetTypeKind(type) == LLVMVectorTypeKind)
		type = LLVMGetElementType(type);
	return program_width(k->p, type);
}

/* ---- places ---- */

static void assign_slots(struct compiler *k)
{
	LLVMValueRef function = k->f->value;
	uint32_t next = 0, phis, most = 0;

	for (unsigned i = 0; i < LLVMCountParams(function); i++) {
		ptrmap_set(&k->slots, LLVMGetParam(function, i), next + 1);
		next += compile_words(k, LLVMGetParam(function, i));
	}
	k->c->param_words = next;
	for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b;
	     b = LLVMGetNextBasicBlock(b)) {
		phis = 0;
		for (LLVMValueRef i = LLVMGetFirstInstruction(b); i;
		     i = LLVMGetNextInstruction(i)) {
			uint32_t words = compile_words(k, i);

			if (!words)
				continue;
			ptrmap_set(&k->slots, i, next + 1);
			next += words;
			phis += LLVMIsAPHINode(i) ? words : 0;
		}
		most = phis > most ? phis : most;
	}
	k->temps = next;
	k->consts_at = next + most + SPARE_WORDS;
}

/* How many registers the named parameters take, for functions with more. */
static void count_registers(struct compiler *k)
{
	unsigned byval = LLVMGetEnumAttributeKindForName("byval", 5);

	for (unsigned i = 0; i < LLVMCountParams(k->f->value); i++) {
		LLVMTypeRef type = LLVMTypeOf(LLVMGetParam(k->f->value, i));

		if (LLVMGetEnumAttributeAtIndex(k->f->value, i + 1, byval) ||
		    LLVMGetTypeKind(type) == LLVMX86_FP80TypeKind)
			continue;
		if (program_is_real(type) || LLVMGetTypeKind(type) == LLVMVectorTypeKind)
			k->c->reals++;
		else
			k->c->ints += program_words_of(k->p, type);
	}
}

/* ---- phis ---- */

static bool has_phis(LLVMBasicBlockRef b)
{
	LLVMValueRef first = LLVMGetFirstInstruction(b);

	return first && LLVMIsAPHINode(first);
}

static LLVMValueRef incoming(LLVMValueRef phi, LLVMBasicBlockRef from)
{
	for (unsigned i = 0; i < LLVMCountIncoming(phi); i++)
		if (LLVMGetIncomingBlock(phi, i) == from)
			return LLVMGetIncomingValue(phi, i);
	return NULL;
}

static void emit_moves(struct compiler *k, uint32_t to, uint32_t from, uint32_t words)
{
	struct code_insn *i = compile_emit(k, words == 1 ? CODE_MOVE : CODE_MOVES);

	i->d = to;
	i->a = from;
	i->c = words;
}

/* All phis at once: through temporaries when there are several. */
static void move_phis(struct compiler *k, LLVMBasicBlockRef from, LLVMBasicBlockRef to)
{
	LLVMValueRef first = LLVMGetFirstInstruction(to), second = LLVMGetNextInstruction(first);
	bool several = second && LLVMIsAPHINode(second);
	uint32_t at = k->temps;

	for (LLVMValueRef i = first; i && LLVMIsAPHINode(i); i = LLVMGetNextInstruction(i)) {
		LLVMValueRef v = incoming(i, from);
		uint32_t words = compile_words(k, i);

		assert(v);
		emit_moves(k, several ? at : compile_slot(k, i), compile_operand(k, v), words);
		at += words;
	}
	at = k->temps;
	for (LLVMValueRef i = first; several && i && LLVMIsAPHINode(i);
	     i = LLVMGetNextInstruction(i)) {
		emit_moves(k, compile_slot(k, i), at, compile_words(k, i));
		at += compile_words(k, i);
	}
}

static uint32_t pc_of(struct compiler *k, LLVMBasicBlockRef b)
{
	uintptr_t pc = 0;
	bool known = ptrmap_get(&k->blocks, b, &pc);

	assert(known);
	(void)known;
	return (uint32_t)pc - 1;
}

/* Where an edge leads: to the block, or to the moves in front of it. */
static uint32_t edge_target(struct compiler *k, LLVMBasicBlockRef from, LLVMBasicBlockRef to)
{
	uint32_t pc;

	if (!has_phis(to))
		return pc_of(k, to);
	pc = (uint32_t)k->c->insns.count;
	move_phis(k, from, to);
	compile_emit(k, CODE_JUMP)->a = pc_of(k, to);
	return pc;
}

static void apply_fixups(struct compiler *k)
{
	for (size_t n = 0; n < k->fixups.count; n++) {
		struct compile_fixup x = k->fixups.items[n];
		uint32_t pc = edge_target(k, x.from, x.to);

		switch (x.where) {
		case FIX_A:
			k->c->insns.items[x.index].a = pc;
			break;
		case FIX_B:
			k->c->insns.items[x.index].b = pc;
			break;
		case FIX_C:
			k->c->insns.items[x.index].c = pc;
			break;
		case FIX_CASE:
			k->c->tables.items[x.index].items[x.item].target = pc;
			break;
		case FIX_NORMAL:
			k->c->calls.items[x.index].normal = pc;
			break;
		case FIX_PAD:
			k->c->pads.items[x.index].target = pc;
			break;
		}
	}
}

/* ---- the function ---- */

static void compile_block(struct compiler *k, LLVMBasicBlockRef b)
{
	ptrmap_set(&k->blocks, b, k->c->insns.count + 1);
	for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
		LLVMMetadataRef at = LLVMInstructionGetDebugLoc(i);

		k->line = at ? LLVMDILocationGetLine(at) : k->line;
		if (!LLVMIsAPHINode(i))
			compile_instruction(k, i);
	}
}

struct code *program_compile(struct symex_program *p, struct program_function *f)
{
	struct compiler k = {.p = p, .f = f};

	assert(f->value && !f->code);
	k.c = xcalloc(1, sizeof(*k.c));
	k.c->function = f;
	assign_slots(&k);
	count_registers(&k);
	for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f->value); b;
	     b = LLVMGetNextBasicBlock(b))
		compile_block(&k, b);
	apply_fixups(&k);
	k.c->params = 0;
	k.c->consts_at = k.consts_at;
	k.c->slots = k.consts_at + (uint32_t)k.c->consts.count;
	ptrmap_free(&k.slots);
	ptrmap_free(&k.blocks);
	vec_free(&k.fixups);
	f->code = k.c;
	return k.c;
}

void code_free(struct code *c)
{
	if (!c)
		return;
	for (size_t i = 0; i < c->tables.count; i++)
		vec_free(&c->tables.items[i]);
	for (size_t i = 0; i < c->calls.count; i++)
		free(c->calls.items[i].args);
	for (size_t i = 0; i < c->pads.count; i++) {
		for (size_t j = 0; j < c->pads.items[i].clauses.count; j++)
			vec_free(&c->pads.items[i].clauses.items[j].allowed);
		vec_free(&c->pads.items[i].clauses);
	}
	for (size_t i = 0; i < c->texts.count; i++)
		free(c->texts.items[i]);
	vec_free(&c->texts);
	vec_free(&c->tables);
	vec_free(&c->calls);
	vec_free(&c->pads);
	vec_free(&c->consts);
	vec_free(&c->insns);
	vec_free(&c->lines);
	free(c);
}
