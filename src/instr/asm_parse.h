/*
 * Inline assembly as text: the constraints of its operands and the statements of its template, in
 * AT&T form as LLVM keeps it ($0 is an operand, $$1 the number one, %rax a register).  Private to
 * instr.
 *
 * A statement that is not of the plain form "prefixes mnemonic operand, operand" is an error here,
 * which for the caller means: not understood.
 */
#ifndef HEDDLE_INSTR_ASM_PARSE_H
#define HEDDLE_INSTR_ASM_PARSE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define ASM_MAX_OPERANDS 24
#define ASM_NAME 16

/* One constraint that is an operand, in the order the template numbers them. */
struct asm_constraint {
	bool output, indirect; /* indirect: the operand is memory, its address is an argument */
	int tied;	       /* the output it shares its place with, or -1 */
	int argument;	       /* its number among the call's arguments, or -1 */
	int result;	       /* its number among the call's results, or -1 */
	char fixed[ASM_NAME];  /* register without width ("ax"), "" when the compiler chooses */
	char flag[ASM_NAME];   /* condition of an output that is a flag ("z"), or "" */
};

struct asm_constraints {
	struct asm_constraint items[ASM_MAX_OPERANDS];
	int count;
	bool memory; /* clobbers memory */
	bool indirect;
};

enum asm_form {
	ASM_OPERAND,   /* $n */
	ASM_REGISTER,  /* %eax */
	ASM_IMMEDIATE, /* $$5 */
	ASM_MEMORY,    /* disp(base), base an operand or a register */
};

struct asm_part {
	enum asm_form form;
	int operand;	     /* of $n, also as the base of memory; -1 = a register */
	char reg[ASM_NAME];  /* without width */
	unsigned bytes;	     /* width the text says, 0 = none */
	bool high;	     /* %ah */
	int64_t value;	     /* immediate or displacement */
};

struct asm_statement {
	char mnemonic[ASM_NAME];
	bool lock, rep;
	struct asm_part parts[3]; /* source first */
	int count;
};

/* False when the text is not understood. */
bool asm_parse_constraints(const char *text, size_t bytes, struct asm_constraints *out);
/*
 * The next statement; *at moves behind it.  1 = there is one, 0 = the template ends, -1 = not
 * understood.
 */
int asm_parse_statement(const char **at, const char *end, struct asm_statement *out);

#endif
