/*
 * Names of what an access touches, as the user wrote it: "counter", "q->head", "buf[i]", "s.x[3]".
 *
 * The expression is rebuilt from the address computation: variables come from debug information
 * (name_collect() before sroa turns them into values, again after it), members from the debug types
 * by offset, indexes from the names of the index values.  Whatever cannot be named is left out or
 * shown as "…"; a wrong name is worse than none.
 */
#ifndef HEDDLE_INSTR_NAME_H
#define HEDDLE_INSTR_NAME_H

#include "instr/unit.h"

/* Remembers which variable each alloca, argument and value is; call it before and after sroa. */
void name_collect(struct unit *u);
/* The text of the lvalue of this size at the address; nothing is added when it is unknown. */
void name_of_access(struct unit *u, LLVMValueRef address, uint64_t size, struct strbuf *to);
/* The text of a value; nothing is added when it is unknown. */
void name_of_value(struct unit *u, LLVMValueRef value, struct strbuf *to);

#endif
