/* Shared by the files of the translation to register code. */
#ifndef HEDDLE_SYMEX_COMPILE_PRIV_H
#define HEDDLE_SYMEX_COMPILE_PRIV_H

#include <llvm-c/Core.h>

#include "symex/code/program.h"

/* A jump whose target is not known yet: from one block to another, through the moves of its phis.
 */
struct compile_fixup {
	enum { FIX_A, FIX_B, FIX_C, FIX_CASE, FIX_NORMAL, FIX_PAD } where;
	uint32_t index, item; /* instruction; table and case; call; pad */
	LLVMBasicBlockRef from, to;
};

struct compiler {
	struct symex_program *p;
	struct program_function *f;
	struct code *c;
	struct ptrmap slots;  /* value -> first slot + 1 */
	struct ptrmap blocks; /* block -> pc + 1 */
	VEC(struct compile_fixup) fixups;
	uint32_t temps, consts_at; /* first temporary, first constant */
	uint32_t line;
	uint32_t tls_next;
};

struct code_insn *compile_emit(struct compiler *k, enum code_op op);
/* First slot of a value, constants included. */
uint32_t compile_operand(struct compiler *k, LLVMValueRef v);
uint32_t compile_word(struct compiler *k, uint64_t word);
uint32_t compile_slot(struct compiler *k, LLVMValueRef v);
uint32_t compile_words(struct compiler *k, LLVMValueRef v);
void compile_unknown(struct compiler *k, const char *what, LLVMValueRef at);
void compile_fix(struct compiler *k, struct compile_fixup fixup);
unsigned compile_scalar_width(struct compiler *k, LLVMTypeRef type);

void compile_call(struct compiler *k, LLVMValueRef call);
/* True when the call was of an intrinsic and is done with. */
bool compile_intrinsic(struct compiler *k, LLVMValueRef call);
void compile_extract_value(struct compiler *k, LLVMValueRef i);
void compile_insert_value(struct compiler *k, LLVMValueRef i);
void compile_vector(struct compiler *k, LLVMValueRef i, bool insert);
void compile_shuffle(struct compiler *k, LLVMValueRef i);
void compile_select(struct compiler *k, LLVMValueRef i);
void compile_branch(struct compiler *k, LLVMValueRef i);
void compile_switch(struct compiler *k, LLVMValueRef i);
void compile_return(struct compiler *k, LLVMValueRef i);
void compile_rmw(struct compiler *k, LLVMValueRef i);
void compile_cmpxchg(struct compiler *k, LLVMValueRef i);
void compile_moves(struct compiler *k, uint32_t to, uint32_t from, uint32_t words);
void compile_instruction(struct compiler *k, LLVMValueRef i);

#endif
