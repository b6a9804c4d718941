/*
 * Names of what an access touches, as the user wrote it: "counter", "q->head", "buf[i]", "s.x[3]".
 *
 * The expression is rebuilt from the address computation: variables come from debug information,
 * members from the debug types by offset, indexes from the names of the index values.  An index
 * that cannot be named is shown as "..."; a place that cannot be named has no name: a wrong one is
 * worse than none.
 */
#ifndef HEDDLE_INSTR_NAME_H
#define HEDDLE_INSTR_NAME_H

#include "instr/unit.h"

/* Remembers which variable each alloca, argument and value is; call it once, after sroa. */
void name_collect(struct unit *u);
/* value takes the place of a load from the address. */
void name_of_loaded(struct unit *u, LLVMValueRef load, LLVMValueRef value, LLVMValueRef address);
/* The value is about to be deleted. */
void name_forget(struct unit *u, LLVMValueRef value);
/*
 * The text of the place at the address; nothing is added when it is unknown.  scalar is the size of
 * the scalar accessed there, 0 for a block.
 */
void name_of_access(struct unit *u, LLVMValueRef address, uint64_t scalar, struct strbuf *to);
/*
 * What the place belongs to, the same for every place of its kind: "struct queue.head" for a member,
 * "counter" for a variable (an array is one), "*int" for what is known by its type alone.
 */
void name_of_element(struct unit *u, LLVMValueRef address, uint64_t scalar, struct strbuf *to);
/* The text of a value; nothing is added when it is unknown. */
void name_of_value(struct unit *u, LLVMValueRef value, struct strbuf *to);

#endif
