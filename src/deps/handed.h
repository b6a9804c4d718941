/*
 * Memory that is handed over: filled in by one thread, then given to a new one as its argument.
 *
 *	w[i].n = n;
 *	pthread_create(&t[i], NULL, worker, &w[i]);
 *
 * The store comes before the thread, so nothing races with it, although other threads may run
 *already. It must be the very object: the pointer of the store and the argument are the same
 *computation on the same values, the store dominates the call, and every time the call is made the
 *object is another one: fresh from an allocator, or the next element of an array that is the
 *function's own or, in main, a global.  Such a store is known to the thread that the object was
 *given to (own.h), and to no other.
 */
#ifndef HEDDLE_DEPS_HANDED_H
#define HEDDLE_DEPS_HANDED_H

#include <stdbool.h>

#include <llvm-c/Types.h>

/* Is what the instruction writes at `pointer' handed to a thread afterwards? */
bool deps_handed(LLVMValueRef instruction, LLVMValueRef pointer);
/* Is the object another one every time this call begins a thread? */
bool deps_handed_differs(LLVMValueRef call);

#endif
