/* Calls out of instrumented code: the guest is told which, before it happens. */
#ifndef HEDDLE_INSTR_CALL_H
#define HEDDLE_INSTR_CALL_H

#include "instr/calls.h"
#include "instr/unit.h"

enum call_kind {
	CALL_NONE,     /* an intrinsic, a marker, an empty asm: nothing to tell */
	CALL_INSIDE,   /* of a function of this module that is instrumented too */
	CALL_INDIRECT, /* through a pointer */
	CALL_ASM,      /* inline assembly of unknown effect (asm.h) */
	CALL_OPAQUE,   /* an intrinsic of unknown effect, a function here that has one body only */
	CALL_LIBRARY,  /* of a declaration; calls_find() knows more */
};

/* call is a call, invoke or callbr instruction. */
enum call_kind call_classify(LLVMValueRef call);
/* Puts the hook in front of the call, when one is needed. */
void call_mark(struct unit *u, LLVMValueRef call);
/* Hooks at the entry and the returns of a function. */
void call_mark_entry(struct unit *u, LLVMValueRef function);

#endif
