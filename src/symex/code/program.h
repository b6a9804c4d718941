/*
 * A program: the modules of a binary, linked by name, with addresses for all that has one.
 * Private to symex.
 */
#ifndef HEDDLE_SYMEX_PROGRAM_H
#define HEDDLE_SYMEX_PROGRAM_H

#include <llvm-c/Target.h>
#include <llvm-c/Types.h>

#include "base/err.h"
#include "base/vec.h"
#include "ir/ptrmap.h"
#include "symex/code/code.h"
#include "symex/mem.h"
#include "symex/symex.h"
#include "trace/elf/sites.h"

/*
 * Regions of the address space besides the image of the binary.  Their order is that of a
 * controlled run: programs compare addresses of different objects.
 */
#define ADDR_BIAS UINT64_C(0x555555554000)
#define ADDR_LOOSE UINT64_C(0x5a0000000000) /* what has no symbol */
#define ADDR_TLS UINT64_C(0x7a0000000000)
#define ADDR_HEAP UINT64_C(0x200000000000)
#define ADDR_HEAP_END UINT64_C(0x300000000000)
#define ADDR_STACK UINT64_C(0x340000000000)
#define ADDR_STACK_END UINT64_C(0x3f0000000000)
#define ADDR_STACK_MAIN UINT64_C(0x7d0000000000)
#define ADDR_OUTSIDE UINT64_C(0x7f0000000000)
#define ADDR_UNWINDER (ADDR_OUTSIDE + (UINT64_C(3) << 36)) /* an object of the C++ runtime */
#define ADDR_ERRNO 64					   /* of a thread's own memory */
#define ADDR_LABEL UINT64_C(0x590000000000)
#define ADDR_THREAD_SHIFT 32 /* room of a thread in TLS, stack and heap */

struct machine;
struct library_call;
enum library_result { LIBRARY_DONE, LIBRARY_AGAIN, LIBRARY_CALL, LIBRARY_END };
typedef enum library_result (*library_fn)(struct machine *m, struct library_call *k);

struct program_unit {
	LLVMModuleRef mod;
	char *name;
	uint64_t hash;
	uint32_t first_site, sites;
};

struct program_function {
	char *name;
	uint64_t address;
	LLVMValueRef value; /* NULL: outside */
	uint32_t unit;
	struct code *code;   /* made when first called */
	library_fn library;  /* model, when it is outside */
	const char *effects; /* of wire/outside.def, NULL when unknown */
	uint8_t hook;	     /* a hook of instrumented code */
	uint8_t math;	     /* arguments of a function of mathematics; 0: it is none */
	bool looked, noted;
};

struct program_global {
	char *name;
	uint64_t address, bytes;
	LLVMValueRef value; /* NULL: outside */
	uint32_t unit;
	bool constant, tls, placed;
};

struct program_name {
	const char *text;
	uint32_t index; /* of a function, or ~ of a global */
	bool is_global;
};

struct symex_program {
	LLVMContextRef ctx;
	LLVMTargetDataRef layout;
	VEC(struct program_unit) units;
	VEC(struct program_function *) functions;
	VEC(struct program_global) globals; /* sorted by address when loaded */
	struct ptrmap function_of;	    /* value -> struct program_function * */
	struct ptrmap global_of;	    /* value -> address */
	struct ptrmap labels;		    /* block -> address */
	VEC(LLVMBasicBlockRef) label_blocks;
	VEC(uint32_t) by_address;		 /* functions, sorted by address */
	VEC(uint64_t) constructors, destructors; /* in the order they run */
	struct trace_sites sites;
	uint64_t tls_bytes;
	uint64_t image_begin, image_end; /* of placed globals */
	struct mem_space image;		 /* initial contents */
	struct expr_pool *image_pool;
	char *path;
};

struct program_function *program_function_at(const struct symex_program *p, uint64_t address);
struct program_function *program_function_named(const struct symex_program *p, const char *name);
const struct program_global *program_global_at(const struct symex_program *p, uint64_t address);
/* The value of a constant as words, appended to *to; false when it cannot be told. */
struct program_words {
	VEC_FIELDS(uint64_t);
};
bool program_constant(struct symex_program *p, LLVMValueRef constant, struct program_words *to);
/* The address of a label, made when first asked for. */
uint64_t program_label(struct symex_program *p, LLVMBasicBlockRef block);

/* Words a value of the type takes; 0 for void. */
uint32_t program_words_of(const struct symex_program *p, LLVMTypeRef type);
/* Bits of a scalar type: pointers 64, long double 80. */
unsigned program_width(const struct symex_program *p, LLVMTypeRef type);
bool program_is_real(LLVMTypeRef type);

/* Each scalar of a type with its offset in memory and its word. */
struct program_leaf {
	LLVMTypeRef type;
	uint64_t offset;
	uint32_t word;
	unsigned width;
};
struct program_leaves {
	VEC_FIELDS(struct program_leaf);
};
/* False when memory of the type is not made of whole bytes. */
bool program_leaves(const struct symex_program *p, LLVMTypeRef type, struct program_leaves *to);

/* Translates the function; never fails: what is not known becomes CODE_UNKNOWN. */
struct code *program_compile(struct symex_program *p, struct program_function *f);

#endif
