/*
 * Values that are unknown when a thread is executed again along its recorded way, without the
 *others.
 *
 * Executing it gives the same values again, unless something got in that the way does not
 *determine:
 *
 *	- what a *contested* load returned: late code (late.h) reads memory that more than one
 *thread can reach, and late code that another thread may run writes such memory;
 *	- what came from outside and is in no log: results of unknown functions, of attempts
 *	  (trylock, timed waits), the value of errno;
 *	- addresses as numbers.
 *
 * From there it spreads by data: through values, memory (by class of places and type of access),
 * arguments and results.  Not by control: which way was taken is known, because the point that
 * decided it is marked itself or has the same value again.
 */
#ifndef HEDDLE_DEPS_UNKNOWN_H
#define HEDDLE_DEPS_UNKNOWN_H

#include "deps/late.h"
#include "deps/own.h"

/* Accesses of a class of places: tags of late stores, and of what carries unknown values. */
struct deps_tags {
	VEC_FIELDS(LLVMValueRef);
	bool any; /* an access without a tag */
};

struct deps_cell {
	struct deps_tags by_first, by_threads; /* late stores, by who may run them */
	struct deps_tags by_owner;	       /* late stores of threads to what each was given */
	/* late accesses to what was not given to the thread that makes them, by who may */
	struct deps_tags seen_first, seen_threads;
	struct deps_tags handed;  /* what was filled in for a thread, and then given to it */
	struct deps_tags unknown; /* stores of unknown values */
	bool reachable;		  /* by more than one thread */
};

struct deps_unknown {
	struct deps_build *b;
	struct deps_late late;
	struct deps_own own;
	VEC(struct deps_cell *) cells; /* by class; NULL: nothing is known of it */
	struct ptrmap values;	       /* that are unknown */
	struct ptrmap returns;	       /* functions that return an unknown value */
	bool changed;
};

/* b has its calls resolved. */
void deps_unknown_init(struct deps_unknown *m, struct deps_build *b);
void deps_unknown_fini(struct deps_unknown *m);

bool deps_unknown_is(const struct deps_unknown *m, LLVMValueRef v);

#endif
