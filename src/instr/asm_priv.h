/* The state of an assembly that is being carried out in thought; asm*.c. */
#ifndef HEDDLE_INSTR_ASM_PRIV_H
#define HEDDLE_INSTR_ASM_PRIV_H

#include <llvm-c/Core.h>

#include "instr/asm_parse.h"
#include "instr/unit.h"

/* A register, or a place the compiler would choose: 64 bits of value, NULL = not set. */
struct asm_place {
	char reg[ASM_NAME];
	LLVMValueRef value;
};

/* Condition flags, 1-bit values; NULL = not known. */
struct asm_flags {
	LLVMValueRef zero, sign, carry, overflow;
};

struct asm_state {
	struct unit *u;
	LLVMValueRef call;
	struct asm_constraints all;
	struct asm_place places[ASM_MAX_OPERANDS + 16];
	int place_count;
	int place_of[ASM_MAX_OPERANDS]; /* of operands that are not memory */
	struct asm_flags flags;
};

/* Values of `bytes' bytes; NULL or false when the part cannot be read or written so. */
LLVMValueRef asm_read_register(struct asm_state *s, const struct asm_part *p, unsigned bytes);
bool asm_write_register(struct asm_state *s, const struct asm_part *p, LLVMValueRef value);
/* The address of a part that is memory, or NULL. */
LLVMValueRef asm_address(struct asm_state *s, const struct asm_part *p);
/* Bytes the part says it has, 0 when it does not. */
unsigned asm_width(struct asm_state *s, const struct asm_part *p);
/* A place by the name of a register without width. */
LLVMValueRef asm_get(struct asm_state *s, const char *reg, unsigned bytes);
bool asm_set(struct asm_state *s, const char *reg, LLVMValueRef value);

/* One statement; false when it is not understood.  bytes = width the mnemonic says, or 0. */
bool asm_do_memory(struct asm_state *s, const struct asm_statement *st, const char *name,
		   unsigned bytes);
bool asm_do_system(struct asm_state *s, const struct asm_statement *st);

/* Arithmetic both files need: the result, flags set.  op is the name without width. */
LLVMValueRef asm_compute(struct asm_state *s, const char *op, LLVMValueRef a, LLVMValueRef b);
/* The condition of a suffix such as "z", "nz", "ae"; NULL when a flag is not known. */
LLVMValueRef asm_condition(struct asm_state *s, const char *cc);

#endif
