/*
 * What a call of a function outside gives its caller, for the question which values are unknown
 * when a thread is executed again (unknown.h).  Everything comes from the tables: instr/calls.def
 * for what the guest has a model of, wire/outside.def for what is described, wire/input_calls.def
 * for what the recorder logs.  What none of them vouches for is unknown.
 */
#ifndef HEDDLE_DEPS_GIVEN_H
#define HEDDLE_DEPS_GIVEN_H

#include <stdbool.h>

#include <llvm-c/Types.h>

enum deps_how {
	DEPS_GIVEN_NOTHING,  /* there is none, or nobody but the library looks at it */
	DEPS_GIVEN_AGAIN,    /* the same when the thread is executed again */
	DEPS_GIVEN_VALUE,    /* follows from the values of its arguments */
	DEPS_GIVEN_COMPUTED, /* follows from arguments, what they point to, callbacks */
	DEPS_GIVEN_TOLD,     /* comes from elsewhere */
};

struct deps_given {
	enum deps_how result, writes;
};

/* The callee is a function without a body of ours: a declaration or an intrinsic. */
struct deps_given deps_given(LLVMValueRef callee);

/* How an outside function uses the places of an argument. */
enum deps_written {
	DEPS_WRITTEN_NOT,
	DEPS_WRITTEN_PLACE, /* what it points to */
	DEPS_WRITTEN_DEEP,  /* and what is pointed to from there */
};
enum deps_written deps_given_written(LLVMValueRef callee, unsigned argument);

#endif
