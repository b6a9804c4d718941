/*
 * The translation unit under instrumentation: what all parts of the room share.  Private to instr.
 *
 * There are two modules of the same source.  `plain' keeps the functions as the user wrote them;
 * `active' is the copy whose accesses go through the guest.  split.h says how they become one.
 */
#ifndef HEDDLE_INSTR_UNIT_H
#define HEDDLE_INSTR_UNIT_H

#include <stdbool.h>
#include <stdint.h>

#include <llvm-c/Types.h>
#include <llvm-c/Target.h>

#include "base/err.h"
#include "base/strbuf.h"
#include "base/vec.h"
#include "instr/flavor.h"
#include "ir/ptrmap.h"

enum hook_id {
#define X(name, symbol, signature) HOOK_##name,
#include "instr/hooks.def"
#undef X
	HOOK_COUNT
};

/* Site records collected so far; see site.h. */
struct unit_site {
	uint32_t file, dir, func, name; /* offsets into the strings, 0 = absent */
	uint32_t line, column, flags;
	uint8_t kind, size;
};

struct unit_text {
	uint64_t hash;
	uint32_t offset;
	uint32_t bytes;
};

struct elements;

struct unit {
	LLVMContextRef ctx;
	LLVMModuleRef mod; /* the active module, then the joined one */
	LLVMTargetDataRef layout;
	LLVMBuilderRef build;
	LLVMTypeRef i1, i8, i16, i32, i64, ptr, none;
	LLVMValueRef hooks[HOOK_COUNT];
	const struct instr_flavor *flavor;
	uint64_t hash; /* of the canonical form */

	struct elements *elements; /* where to note what is accessed (element.h); NULL: nowhere */
	uint32_t stretch; /* of its function, that the instruction under way belongs to (element.h)
			   */
	LLVMValueRef site_base; /* what code refers to; in the end the table itself (site.h) */
	VEC(struct unit_site) sites;
	struct strbuf texts; /* the strings section; byte 0 is a NUL nobody refers to */
	struct unit_text *text_slots;
	size_t text_count, text_capacity;

	struct ptrmap variables; /* value -> DILocalVariable or DIGlobalVariable, see name.h */
	struct ptrmap loaded;	 /* value that replaced a load -> the address it was loaded from */
	struct ptrmap quiet;	 /* functions of this module a spin loop may call, see spin.h */
	struct ptrmap idle;	 /* those that only spend time, see spin_idle.h */
};

void unit_init(struct unit *u, LLVMModuleRef mod, const struct instr_flavor *flavor);
void unit_fini(struct unit *u);

/* Puts everything the flavour asks for into u->mod, whose globals have names (split.h); instr.c. */
int unit_instrument(struct unit *u, struct err *e);

/* Puts a call of a hook where u->build stands; n arguments as its signature says. */
LLVMValueRef unit_call_hook(struct unit *u, enum hook_id hook, LLVMValueRef *args, unsigned n);
/* u->build before the instruction, with its debug location. */
void unit_build_before(struct unit *u, LLVMValueRef instruction);
LLVMValueRef unit_i32(struct unit *u, uint32_t value);
LLVMValueRef unit_i64(struct unit *u, uint64_t value);
/* A slot of the type on the stack of the function u->build stands in, made in its entry block. */
LLVMValueRef unit_slot(struct unit *u, LLVMTypeRef type);

#endif
