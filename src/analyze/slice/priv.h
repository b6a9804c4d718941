/*
 * What the parts of a slice share: slice.c walks, memory.c finds who wrote, tell.c
 * has the words.
 */
#ifndef HEDDLE_ANALYZE_SLICE_PRIV_H
#define HEDDLE_ANALYZE_SLICE_PRIV_H

#include "analyze/slice/control.h"
#include "analyze/outside.h"
#include "analyze/slice/slice.h"

enum slice_mark {
	SLICE_RUNS = 1,	 /* whether it runs matters */
	SLICE_VALUE = 2, /* what it gives or does matters */
	SLICE_TARGET = 4
};

struct slice_item {
	uint32_t body;
	LLVMValueRef at;
	unsigned marks;
};

/* A call of a function without code here. */
struct slice_call {
	uint32_t body;
	LLVMValueRef at;
	const char *name, *effects;
	enum outside_use use;
};

struct slice_accesses {
	VEC_FIELDS(uint32_t);
};

struct slice {
	struct flow *f;
	struct whole *w;
	const struct schedule *s;
	struct control *controls;	/* by code */
	struct ptrmap *marks;		/* by body: instruction, block or parameter -> marks */
	bool *runs, *ends, *wants_ends; /* by body: it matters; may not come back; that matters */
	VEC(struct slice_item) todo;
	VEC(struct slice_call) calls;
	struct slice_accesses *writers; /* by object */
	struct ptrmap *accesses;	/* by body: instruction -> its first access + 1 */
};

void slice_mark(struct slice *l, uint32_t body, LLVMValueRef at, unsigned marks);
/* The value is needed: what it is made of. */
void slice_value(struct slice *l, uint32_t body, LLVMValueRef v);
void slice_operands(struct slice *l, uint32_t body, LLVMValueRef at);
/* What a function returns, and whether. */
void slice_returns(struct slice *l, uint32_t body);
bool slice_is_reached(const struct slice *l, uint32_t body, LLVMValueRef at);

/* ---- tell.c ---- */

/* Marks what is at "FILE:LINE"; false: nothing is. */
bool slice_tell_begin(struct slice *l, const char *target);
void slice_tell(struct slice *l, struct analysis *to);

/* ---- memory.c ---- */

void slice_memory_init(struct slice *l);
void slice_memory_fini(struct slice *l);
/* Writes that what an instruction reads may come from. */
void slice_memory_read(struct slice *l, uint32_t body, LLVMValueRef at);
/* What a call of the library depends on besides its arguments and memory. */
void slice_memory_library(struct slice *l, uint32_t body, LLVMValueRef call);

#endif
