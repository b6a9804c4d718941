/*
 * What functions without code in the program do, as far as an analysis without running has to know:
 * which memory they touch (wire/outside.def, and a few rows for functions the guest models), what
 * they are to threads and locks.
 */
#ifndef HEDDLE_ANALYZE_OUTSIDE_H
#define HEDDLE_ANALYZE_OUTSIDE_H

#include <stdbool.h>
#include <stdint.h>

#include <llvm-c/Types.h>

enum outside_use {
	OUTSIDE_OTHER,
	OUTSIDE_LOCK,	     /* holds argument 0 afterwards */
	OUTSIDE_LOCK_SHARED, /* beside others that do so */
	OUTSIDE_TRY,	     /* holds it when it returns 0 */
	OUTSIDE_TRY_SHARED,
	OUTSIDE_UNLOCK,
	OUTSIDE_WAIT, /* gives the lock at argument 1 away for a time */
	OUTSIDE_CREATE,
	OUTSIDE_JOIN,
	OUTSIDE_TRY_JOIN,
	OUTSIDE_ONCE,  /* argument 1 runs once for argument 0 */
	OUTSIDE_GUARD, /* of a static variable: true says that it is to be made */
	OUTSIDE_GUARD_DONE,
	OUTSIDE_EXIT, /* ends the process */
	OUTSIDE_THREAD_EXIT,
	OUTSIDE_ALLOCATE,
	OUTSIDE_FREE,
	OUTSIDE_BARRIER,
	OUTSIDE_QUIET, /* of threads and locks, without meaning here */
};

enum outside_use outside_use(const char *name);
/* Effects in the words of wire/outside.h; NULL: not known. */
const char *outside_effects(const char *name);
/* Nothing is known of it at all. */
bool outside_is_opaque(const char *name);

/* One access of a call, in the order of its effects. */
struct outside_access {
	unsigned argument;
	bool write, deep; /* deep: what the pointer there points to */
	uint64_t bytes;	  /* 0: not known */
};

/*
 * The accesses of a call of that name to what its arguments point to; *next is 0 at first.  False:
 * no more.
 */
bool outside_next(LLVMValueRef call, const char *effects, unsigned *next,
		  struct outside_access *out);

/*
 * Memory of the library that functions use without a lock: its number in the next word of the
 * effects of that function that is about one.  False: no more.  The first OUTSIDE_HANDED are handed
 * out as results.
 */
#define OUTSIDE_HANDED 5
#define OUTSIDE_SIGNGAM 9
#define OUTSIDE_STREAMS 10 /* these only by functions that do not lock the stream */
#define OUTSIDE_STATES 12
extern const char *const outside_states[OUTSIDE_STATES];
bool outside_state(const char *name, const char *effects, unsigned *next, unsigned *state,
		   bool *write);
/* The argument that is a stream the function uses without its lock.  False: there is none. */
bool outside_stream(const char *name, const char *effects, unsigned *argument, bool *write);

#endif
