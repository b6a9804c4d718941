/*
 * What functions are given, as far as every call of them agrees.
 *
 * *Own*: pointers into the object that a thread was given as its argument, inside that object: in
 * the entry function of the thread, and in functions that are only called with such pointers.  When
 * the objects of all threads are different ones, nobody else reaches it that way.
 *
 * *Numbers*: pointers that are none, (void *)i and the like.  They are the same when the thread is
 * executed again, which addresses are not.
 */
#ifndef HEDDLE_DEPS_OWN_H
#define HEDDLE_DEPS_OWN_H

#include "deps/build.h"

struct deps_own {
	struct deps_build *b;
	struct ptrmap foreign;	 /* parameters that may be something else */
	struct ptrmap addresses; /* parameters that may be addresses */
	struct ptrmap several;	 /* classes of places whose objects threads may share: class + 1 */
};

/* b has its calls resolved. */
void deps_own_init(struct deps_own *o, struct deps_build *b);
void deps_own_fini(struct deps_own *o);
/* Only the thread that runs here was given this object. */
bool deps_own_is(const struct deps_own *o, LLVMValueRef pointer);
bool deps_own_number(const struct deps_own *o, LLVMValueRef pointer);

#endif
