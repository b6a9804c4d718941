/*
 * Register code: a function in a form that is executed quickly.
 *
 * A frame is an array of words of 64 bits, first the constants of the function, then its
 * parameters, then a place for every value.  A number of up to 64 bits is one word, zero-extended;
 * a wider one (up to 128 bits, long double) is two, the low one first; vectors, structures and
 * arrays are their elements in a row, so that operations on them are operations on words.
 *
 * Whether a word is an expression is kept beside it; instructions do not know.
 */
#ifndef HEDDLE_SYMEX_CODE_H
#define HEDDLE_SYMEX_CODE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/vec.h"

enum code_op {
	/* d = a op b, w bits; in the order of enum expr_op from EXPR_ADD on. */
	CODE_ADD,
	CODE_SUB,
	CODE_MUL,
	CODE_UDIV,
	CODE_SDIV,
	CODE_UREM,
	CODE_SREM,
	CODE_SHL,
	CODE_LSHR,
	CODE_ASHR,
	CODE_AND,
	CODE_OR,
	CODE_XOR,
	CODE_EQ,
	CODE_NE,
	CODE_ULT,
	CODE_ULE,
	CODE_SLT,
	CODE_SLE,
	CODE_COMPUTE, /* d = op(a, b, c): op = x & 0xff, aux = x >> 8; w bits from v bits */
	CODE_TRUNC,   /* d = a cut to w bits */
	CODE_SEXT,    /* from v bits to w */
	CODE_MOVE,    /* d = a */
	CODE_MOVES,   /* c words */
	CODE_SELECT,  /* d = a ? b : c, x words of w bits */
	CODE_GEP,     /* d = a + (sign-extended from v bits b) * imm */
	CODE_ADDR,    /* d = a + imm */
	CODE_LOAD,    /* d = w bits at a + imm */
	CODE_STORE,   /* b, w bits, to a + imm */
	CODE_ALLOCA,  /* d = room for a * imm bytes, aligned to 1 << v */
	CODE_JUMP,    /* to a */
	CODE_BRANCH,  /* a ? to b : to c; point x */
	CODE_SWITCH,  /* on a, table b; point x */
	CODE_GOTO,    /* computed, table b; point x */
	CODE_CALL,    /* call record a */
	CODE_RETURN,  /* c words at a */
	CODE_PICK,    /* d = element b (of c) of those at a, x words each */
	CODE_PUT,     /* element b (of c) of those at d becomes a, x words each */
	CODE_PAD,     /* d = {exception, selector} */
	CODE_RESUME,  /* goes on with the exception at a */
	CODE_RMW,     /* d = old at a, new = old op b; op = x; w bits; of private memory */
	CODE_SWAP,    /* d = old at a, and in the word behind whether it was b and is c now */
	CODE_VA_START,
	CODE_TLS,  /* d = imm as an address of the thread's own memory */
	CODE_SAVE, /* d = height of the stack */
	CODE_RESTORE,
	CODE_UNREACHABLE,
	CODE_UNKNOWN, /* not translated: text x */
};

struct code_insn {
	uint16_t op;
	uint8_t w, v;
	uint32_t d, a, b;
	union {
		struct {
			uint32_t c, x;
		};
		int64_t imm;
	};
};

_Static_assert(sizeof(struct code_insn) == 24, "instructions are dense");

struct code_case {
	uint64_t value;
	uint32_t target, successor;
};

/* Case 0 is the default. */
struct code_table {
	VEC_FIELDS(struct code_case);
};

enum code_class { CODE_INTEGER, CODE_REAL, CODE_MEMORY };

struct code_arg {
	uint32_t slot;
	uint16_t words;
	uint8_t width;	/* bits of the first number */
	uint8_t class;	/* how the machine would pass it */
	uint32_t bytes; /* passed as a copy: how many; else 0 */
	uint32_t align;
};

struct program_function;

#define CODE_NO_PAD UINT32_MAX

struct code_call {
	struct program_function *target; /* NULL: through the word `callee' */
	uint32_t callee;
	uint32_t result;
	uint16_t result_words;
	uint8_t result_width;
	uint16_t count;
	uint16_t fixed; /* of them named parameters */
	bool variadic;
	bool result_real;
	struct code_arg *args;
	uint32_t normal; /* where to go on, UINT32_MAX: behind the call */
	uint32_t pad;	 /* index of the landing pad, CODE_NO_PAD */
	uint32_t point;
	uint32_t site; /* of a hook's argument */
};

struct code_clause {
	uint64_t type; /* address of the type information; 0 catches all */
	bool filter;
	VEC(uint64_t) allowed; /* of a filter */
};

struct code_pad {
	uint32_t target; /* first instruction of the block */
	bool cleanup;
	VEC(struct code_clause) clauses;
};

struct code {
	struct program_function *function;
	VEC(struct code_insn) insns;
	VEC(struct code_table) tables;
	VEC(struct code_call) calls;
	VEC(struct code_pad) pads;
	VEC(uint64_t) consts;
	VEC(char *) texts;
	VEC(uint32_t) lines; /* by instruction: line of the source */
	uint32_t params;     /* first slot of the parameters */
	uint32_t consts_at;  /* first slot of the constants */
	uint32_t param_words;
	uint32_t slots;
	uint32_t ints, reals; /* registers that the named parameters take */
};

void code_free(struct code *c);

#endif
