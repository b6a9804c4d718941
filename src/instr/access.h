/*
 * Plain memory accesses: loads, stores and block operations go through the guest.  Each function
 * replaces the instruction it is given (which is gone afterwards) and returns true, or leaves it
 * and returns false when the memory needs no watching.
 */
#ifndef HEDDLE_INSTR_ACCESS_H
#define HEDDLE_INSTR_ACCESS_H

#include "instr/escape.h"
#include "instr/unit.h"

bool access_load(struct unit *u, const struct escape *x, LLVMValueRef load);
bool access_store(struct unit *u, const struct escape *x, LLVMValueRef store);
/* memcpy, memmove, memset: the intrinsics and direct calls of the libc functions. */
bool access_block(struct unit *u, const struct escape *x, LLVMValueRef call);

/*
 * Bytes of a type that a guest entry for integers can carry: 1, 2, 4 or 8, or 0 when the value must
 * go through memory.
 */
unsigned access_integer_size(struct unit *u, LLVMTypeRef type);
/* A value as an integer of the same width, and back; u->build says where. */
LLVMValueRef access_to_integer(struct unit *u, LLVMValueRef value, unsigned bytes);
LLVMValueRef access_from_integer(struct unit *u, LLVMValueRef integer, LLVMTypeRef type);
/* Flags of a site for an access to this address. */
uint32_t access_flags(LLVMValueRef instruction, LLVMValueRef address);
/* Removes an instruction after handing its uses to value (NULL when it has none). */
void access_replace(struct unit *u, LLVMValueRef instruction, LLVMValueRef value);

/* Reads what the call copies: arguments passed by value whose memory others may share. */
void access_copied(struct unit *u, const struct escape *x, LLVMValueRef call);

#endif
