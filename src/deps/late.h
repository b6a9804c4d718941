/*
 * When code may run: before the program has threads, or beside other threads.
 *
 * Until the first thread is made nobody else writes memory, so what is written then is the same in
 * every run.  Code is *late* when a thread may have been made before it runs; within a function that
 * is only entered early, what can be reached from a call that may make a thread is late.  A function
 * *threads* run is one that may be entered by another thread than the first: entry functions, what
 * has its address taken (handlers and callbacks among it), and what they call.
 */
#ifndef HEDDLE_DEPS_LATE_H
#define HEDDLE_DEPS_LATE_H

#include "deps/build.h"

struct deps_late {
	struct deps_build *b;
	bool *entered; /* by function: entered late */
	bool *threads; /* by function: run by other threads */
	bool *spawns;  /* by function: may make threads */
	struct ptrmap after; /* instruction of a function entered early only -> it is late */
	bool library;	     /* no main: anything may be called at any time */
};

/* b has its calls resolved. */
void deps_late_init(struct deps_late *l, struct deps_build *b);
void deps_late_fini(struct deps_late *l);

bool deps_late_is(const struct deps_late *l, uint32_t function, LLVMValueRef instruction);

#endif
