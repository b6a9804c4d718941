/*
 * Which memory pointers may point to: classes of places that may be reached through the same
 * pointers, by unification (Steensgaard), without regard to order, fields or calling context.
 *
 * A class stands for values and for places alike.  The pointee of a class is the class of what its
 * members point to; a place's members hold values, so the pointee of a place's class is what the
 * pointers stored there point to.  Everything that code outside may keep or hand out is one class,
 * `outside', which is its own pointee.
 */
#ifndef HEDDLE_DEPS_POINTS_H
#define HEDDLE_DEPS_POINTS_H

#include <stdbool.h>

#include <llvm-c/Types.h>

#include "base/vec.h"
#include "ir/ptrmap.h"

struct deps_points {
	VEC(uint32_t) parent;
	VEC(uint32_t) pointee;	     /* of roots, UINT32_MAX: none yet */
	struct ptrmap values;	     /* value -> class + 1 */
	VEC(LLVMValueRef) named;     /* globals other units can see, by name */
	VEC(uint32_t) named_class;   /* of their places */
	VEC(LLVMValueRef) functions; /* whose address is a value, and their places: */
	VEC(uint32_t) function_class;
	uint32_t outside;
	uint64_t changes;
};

void deps_points_init(struct deps_points *p);
void deps_points_fini(struct deps_points *p);

/* The class of a value; globals, functions and constant expressions are values too. */
uint32_t deps_points_value(struct deps_points *p, LLVMValueRef v);
uint32_t deps_points_find(struct deps_points *p, uint32_t c);
/* What a class points to; made when it is not known yet. */
uint32_t deps_points_to(struct deps_points *p, uint32_t c);
void deps_points_unify(struct deps_points *p, uint32_t a, uint32_t b);
/* The place a pointer points to, as a root. */
uint32_t deps_points_place(struct deps_points *p, LLVMValueRef pointer);

/* a may hold what b holds. */
void deps_points_assign(struct deps_points *p, LLVMValueRef a, LLVMValueRef b);
/* value = *pointer and *pointer = value alike. */
void deps_points_access(struct deps_points *p, LLVMValueRef pointer, LLVMValueRef value);
/* The contents of what two pointers point to are copied. */
void deps_points_copy(struct deps_points *p, LLVMValueRef to, LLVMValueRef from);
/* Code outside gets or gives the value. */
void deps_points_escape(struct deps_points *p, LLVMValueRef v);
/* What stands in memory when the program begins. */
void deps_points_initializer(struct deps_points *p, LLVMValueRef global);

#endif
