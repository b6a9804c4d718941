/*
 * Places in memory, as an analysis without running sees them.
 *
 * An *object* stands for memory that is made at one point of the program in one calling context: a
 * global, a local, what an allocation returns.  A *location* is a distance into an object, or every
 * distance that is `offset' plus a multiple of `stride': elements of an array, with their members
 * apart.  stride 1 is anywhere in the object.  Locations are numbered, equal ones have one number.
 *
 * With strides offsets are kept below them, and the stride of a sum is the greatest common divisor,
 * so that chains of ever new locations end.
 */
#ifndef HEDDLE_ANALYZE_LOC_H
#define HEDDLE_ANALYZE_LOC_H

#include <stdbool.h>
#include <stdint.h>

#include <llvm-c/Types.h>

#include "base/vec.h"

#define LOC_NONE UINT32_MAX
#define LOC_NO_THREAD UINT32_MAX

enum object_kind {
	OBJECT_UNKNOWN, /* whatever code that is not understood may hand out */
	OBJECT_GLOBAL,
	OBJECT_TLS, /* a thread's own copy of a variable */
	OBJECT_STACK,
	OBJECT_HEAP,
	OBJECT_FUNCTION,
	OBJECT_THREAD,	/* what a handle of a thread stands for */
	OBJECT_LIBRARY, /* memory of library functions */
	OBJECT_VARARGS,
};

struct object {
	enum object_kind kind;
	LLVMValueRef value;  /* the global, alloca, call, function */
	uint64_t size;	     /* 0: not known */
	uint32_t thread;     /* whose code makes it; LOC_NO_THREAD: there from the start */
	uint32_t body;	     /* context of value */
	uint32_t made;	     /* of a handle: the thread it stands for */
	bool many;	     /* one thread may make several */
	bool escaped;	     /* known to code that is not understood */
	VEC(uint32_t) cells; /* numbers of struct cell, see points.h */
};

struct loc {
	uint32_t object;
	uint32_t stride; /* 0: exactly there */
	int64_t offset;
};

struct locs {
	VEC(struct object) objects;
	VEC(struct loc) all;
	uint32_t *slots; /* of a hash table */
	size_t slot_count;
};

void locs_init(struct locs *l);
void locs_fini(struct locs *l);

/* A new object; the pointer is valid until the next one. */
struct object *locs_object(struct locs *l, enum object_kind kind, LLVMValueRef value,
			   uint32_t *number);
uint32_t locs_get(struct locs *l, uint32_t object, int64_t offset, uint32_t stride);
/* The location so many bytes behind it, or behind it by a multiple of stride; LOC_NONE: outside. */
uint32_t locs_add(struct locs *l, uint32_t loc, int64_t bytes, uint32_t stride);
/* Both together, as one location of the same object. */
uint32_t locs_widen(struct locs *l, uint32_t a, uint32_t b);
/* May accesses of so many bytes there touch the same byte?  0 bytes: as many as there are behind.
 */
bool locs_meet(const struct locs *l, uint32_t a, uint64_t a_bytes, uint32_t b, uint64_t b_bytes);

#endif
