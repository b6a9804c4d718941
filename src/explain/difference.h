/*
 * What is different between a failing execution and another one of the same program.
 *
 * Same path: every thread does the same operations at the same places as far as both go.  Of the
 * thread that fails, what it does behind the last branch before the failure does not count: that
 * branch is the failing condition itself.
 */
#ifndef HEDDLE_EXPLAIN_DIFFERENCE_H
#define HEDDLE_EXPLAIN_DIFFERENCE_H

#include "explain/exec.h"

/*
 * The operation at which a thread stood when it failed, or stands for ever: no event has it.  Where
 * it would get what it wants from: the operation that freed the memory, took the lock, and so on.
 */
struct explain_standing {
	uint32_t thread, source;
	uint64_t addr;
};

/* An operation that gets something else than in the failing execution. */
struct explain_variation {
	uint32_t failing;  /* operation; EXPLAIN_NONE: the one at `standing' */
	uint32_t other;	   /* the same one in the other execution */
	uint32_t standing; /* EXPLAIN_NONE: it is an operation */
	bool memory;	   /* a read; else a lock, a wake-up */
};

/* Where a thread goes another way. */
struct explain_parting {
	uint32_t thread;
	uint32_t failing, other; /* the first operations that differ, EXPLAIN_NONE: none follows */
};

struct explain_difference {
	bool passes; /* it goes past that instance of the failing operation, or never comes to it */
	bool clean;  /* and ends without any failure */
	bool same_path;
	VEC(struct explain_variation) variations; /* in the failing order */
	VEC(struct explain_parting) partings;
	uint32_t reads;	   /* variations that are reads */
	uint32_t standing; /* variations that are none of operations */
	uint32_t moved;	   /* operations that come before one that they came after */
};

/* What the failing execution looks like, worked out once. */
struct explain_failing {
	struct explain_exec exec;
	uint64_t key;	  /* run_result_key() */
	uint32_t thread;  /* that failed; EXPLAIN_NONE: all those that are stuck */
	uint32_t decided; /* tix of the failing condition; UINT32_MAX: there is no such branch */
	VEC(struct explain_list) program; /* by thread: its operations, commits left out */
	VEC(struct explain_standing) standing;
};

struct explain_list {
	VEC_FIELDS(uint32_t);
};

/* Takes over *r: a failing run with events and markers. */
void explain_failing_init(struct explain_failing *f, struct run_result *r);
void explain_failing_fini(struct explain_failing *f);

void explain_difference(const struct explain_failing *f, const struct explain_exec *other,
			struct explain_difference *out);
void explain_difference_fini(struct explain_difference *d);

/* The operation of x that thread `standing' of f stood at; EXPLAIN_NONE: it did not come to it. */
uint32_t explain_beyond(const struct explain_failing *f, const struct explain_exec *x,
			uint32_t standing);

/* Is a easier to understand than b?  Both pass. */
bool explain_difference_better(const struct explain_difference *a,
			       const struct explain_difference *b);

#endif
