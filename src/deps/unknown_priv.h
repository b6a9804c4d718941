/* Private to unknown.c and contested.c. */
#ifndef HEDDLE_DEPS_UNKNOWN_PRIV_H
#define HEDDLE_DEPS_UNKNOWN_PRIV_H

#include "deps/unknown.h"

/* NULL: an access without a tag. */
void unknown_tag(struct deps_unknown *m, struct deps_tags *t, LLVMValueRef tag);
/* Whether an access with this tag may touch what one of these touches. */
bool unknown_meets(const struct deps_tags *t, LLVMValueRef tag);
struct deps_cell *unknown_cell_at(struct deps_unknown *m, uint32_t class);
struct deps_cell *unknown_cell_of(struct deps_unknown *m, LLVMValueRef pointer);
/* A pointer to somewhere. */
bool unknown_is_pointer(LLVMValueRef v);

typedef void (*unknown_place_fn)(struct deps_unknown *m, uint32_t class, void *arg);

/* The classes of places that a call of a function outside may write through its arguments. */
void unknown_each_written(struct deps_unknown *m, LLVMValueRef call, unknown_place_fn visit,
			  void *arg);

/* Classes that more than one thread can reach; then the accesses of function f, one by one. */
void unknown_find_reachable(struct deps_unknown *m);
void unknown_note_accesses(struct deps_unknown *m, uint32_t f, LLVMValueRef i);

/* Whether another thread may write what a load takes; own: of what the thread was given. */
bool unknown_contested(struct deps_unknown *m, uint32_t f, LLVMValueRef i, LLVMValueRef pointer);
bool unknown_contested_at(struct deps_unknown *m, uint32_t f, LLVMValueRef i,
			  const struct deps_cell *c, bool own);

#endif
