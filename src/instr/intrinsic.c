#include "instr/intrinsic.h"

#include <string.h>

#include <llvm-c/Core.h>

#include "instr/access.h"
#include "instr/asm_priv.h"
#include "instr/escape.h"
#include "ir/function.h"
#include "ir/module.h"

/* Not the program's memory, or only its own: marks, the stack, variable arguments, constants. */
static const char *const harmless[] = {
	"llvm.lifetime.", "llvm.dbg.",	      "llvm.assume",	   "llvm.invariant.",
	"llvm.launder.",  "llvm.strip.",      "llvm.objectsize.",  "llvm.va_",
	"llvm.stack",	  "llvm.prefetch",    "llvm.ptrmask.",	   "llvm.threadlocal.",
	"llvm.eh.",	  "llvm.expect",      "llvm.frameaddress", "llvm.returnaddress",
	"llvm.type.",	  "llvm.ptr.annot",   "llvm.var.annot",	   "llvm.annotation",
	"llvm.is.constant", "llvm.coro.",     "llvm.load.relative", "llvm.experimental.noalias",
	"llvm.localescape", "llvm.localrecover", "llvm.public.type", "llvm.allow.",
	"llvm.memcpy.",	  "llvm.memmove.",    "llvm.memset.",	   "llvm.init.trampoline",
	"llvm.adjust.trampoline", "llvm.sponentry", "llvm.addressofreturnaddress",
	"llvm.x86.sse2.clflush", "llvm.x86.clflushopt", "llvm.x86.clwb", "llvm.instrprof.",
	"llvm.call.preallocated.", "llvm.preserve.", "llvm.arithmetic.fence", "llvm.fake.use",
	"llvm.ssa.copy",  "llvm.seh.",	      "llvm.clear_cache",
};

bool intrinsic_is_opaque(LLVMValueRef call)
{
	const char *name = ir_function_intrinsic(call);
	bool pointer = false;

	for (unsigned i = 0; i < LLVMGetNumArgOperands(call); i++) {
		LLVMTypeRef type = LLVMTypeOf(LLVMGetArgOperand(call, i));

		if (LLVMGetTypeKind(type) == LLVMVectorTypeKind)
			type = LLVMGetElementType(type);
		pointer |= LLVMGetTypeKind(type) == LLVMPointerTypeKind;
	}
	for (size_t i = 0; i < sizeof(harmless) / sizeof(harmless[0]); i++)
		if (!strncmp(name, harmless[i], strlen(harmless[i])))
			return false;
	return *name && pointer;
}

/* The statement of assembly that an intrinsic is, and the registers its results are in. */
static const struct {
	const char *name, *mnemonic;
	unsigned bytes; /* of a random number */
} statements[] = {
	{"llvm.x86.sse2.mfence", "mfence", 0}, {"llvm.x86.sse2.lfence", "lfence", 0},
	{"llvm.x86.sse.sfence", "sfence", 0},  {"llvm.x86.rdtscp", "rdtscp", 0},
	{"llvm.x86.rdtsc", "rdtsc", 0},	       {"llvm.readcyclecounter", "rdtsc", 0},
	{"llvm.x86.rdrand.16", "rdrand", 2},   {"llvm.x86.rdrand.32", "rdrand", 4},
	{"llvm.x86.rdrand.64", "rdrand", 8},   {"llvm.x86.rdseed.16", "rdseed", 2},
	{"llvm.x86.rdseed.32", "rdseed", 4},   {"llvm.x86.rdseed.64", "rdseed", 8},
};

static LLVMValueRef whole_counter(struct asm_state *s)
{
	LLVMBuilderRef b = s->u->build;
	LLVMValueRef high = LLVMBuildShl(b, asm_get(s, "dx", 8), unit_i64(s->u, 32), "");

	return LLVMBuildOr(b, high, asm_get(s, "ax", 8), "");
}

/* {value, whether there was one} or {counter, processor}, or the value alone. */
static LLVMValueRef result_of(struct asm_state *s, unsigned bytes)
{
	LLVMTypeRef type = LLVMTypeOf(s->call);
	LLVMValueRef value = bytes ? asm_get(s, "ax", bytes) : whole_counter(s), pair;

	if (LLVMGetTypeKind(type) != LLVMStructTypeKind)
		return value;
	pair = LLVMBuildInsertValue(s->u->build, LLVMGetUndef(type), value, 0, "");
	return LLVMBuildInsertValue(s->u->build, pair, unit_i32(s->u, bytes ? 1 : 0), 1, "");
}

static void translate(struct unit *u, LLVMValueRef call)
{
	struct asm_state s = {.u = u, .call = call};
	struct asm_statement st = {.count = 0};
	const char *name = ir_function_intrinsic(call);

	for (size_t i = 0; i < sizeof(statements) / sizeof(statements[0]); i++) {
		unsigned bytes = statements[i].bytes;

		if (strcmp(name, statements[i].name))
			continue;
		unit_build_before(u, call);
		strcpy(st.mnemonic, statements[i].mnemonic);
		if (bytes)
			st.parts[st.count++] = (struct asm_part){
				.form = ASM_REGISTER, .operand = -1, .reg = "ax", .bytes = bytes};
		if (asm_do_system(&s, &st))
			access_replace(u, call, st.mnemonic[0] == 'r' ? result_of(&s, bytes) : NULL);
		return;
	}
}

static bool uses_masks(LLVMModuleRef mod)
{
	size_t bytes;

	for (LLVMValueRef f = LLVMGetFirstFunction(mod); f; f = LLVMGetNextFunction(f))
		if (!strncmp(LLVMGetValueName2(f, &bytes), "llvm.masked.", 12))
			return true;
	return false;
}

int intrinsic_translate(struct unit *u, struct err *e)
{
	VEC(LLVMValueRef) list = VEC_INIT;
	/* Without a target in mind, the pass leaves no masked access behind. */
	int rc = uses_masks(u->mod)
			 ? ir_module_run_passes(u->mod, "function(scalarize-masked-mem-intrin)", e)
			 : 0;

	for (LLVMValueRef f = LLVMGetFirstFunction(u->mod); f; f = LLVMGetNextFunction(f))
		for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
			for (LLVMValueRef i = LLVMGetFirstInstruction(b); i;
			     i = LLVMGetNextInstruction(i))
				if (LLVMIsACallInst(i) && *ir_function_intrinsic(i))
					vec_push(&list, i);
	for (size_t i = 0; i < list.count; i++)
		translate(u, list.items[i]);
	vec_free(&list);
	return rc;
}
