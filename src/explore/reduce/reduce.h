/*
 * Which of the executions that are equal but for the order of independent operations are run: one
 * of each class.  Dynamic partial-order reduction with source sets and sleep sets (Abdulla, Aronis,
 * Jonsson, Sagonas, POPL 2014), over executions that happen elsewhere.
 *
 * The search keeps one execution as a path of points.  At a point every unfinished thread stands at
 * an operation, possible or not: its offers.  Whoever executes tells the offers and is told what to
 * perform; where an execution has ended the search goes back to the last point that has something
 * left to try.
 *
 * For what each thread would do at a point: an earlier operation that is dependent with it, could
 * have come after it and is not ordered with it already is a race.  At the point before that
 * operation one of the threads has to be tried that can come first in the reversal (the initials of
 * what follows without depending on it, and the thread's own operation).  Taking just any thread
 * there loses executions together with sleep sets, and so does to stop looking at an operation that
 * is ordered and only looked.
 *
 * A thread whose operation was tried at a point sleeps in what is tried there later, until
 * something dependent with it happens; an execution in which all possible threads sleep is
 * redundant.
 *
 * With `whole' nothing is reduced: every order of possible operations is an execution of its own.
 */
#ifndef HEDDLE_EXPLORE_REDUCE_REDUCE_H
#define HEDDLE_EXPLORE_REDUCE_REDUCE_H

#include <stddef.h>

#include "base/vec.h"
#include "explore/reduce/op.h"

struct reduce_offer {
	struct reduce_op op;
	bool enabled;
};

struct reduce_point {
	struct reduce_op op; /* performed here */
	size_t position;     /* offers from here … */
	uint32_t offers;     /* … so many */
	uint64_t enabled, backtrack, done, sleep;
	uint64_t fresh;			/* threads that stood at nothing at the point before */
	uint32_t clock[REDUCE_THREADS]; /* operations of each thread before op, op included */
};

struct reduce {
	bool whole;
	/*
	 * A thread that stands at an operation for the first time, or again, was made to by the
	 * operation before.  Otherwise only `begins' says so.
	 */
	bool appear;
	VEC(struct reduce_point) path;
	VEC(struct reduce_offer) offers;
	size_t at; /* points passed in the execution under way */
	/* Looked at in long analyses, may be NULL: true when what comes of them no longer matters.
	 */
	bool (*gives_up)(void *arg);
	void *arg;
};

#define REDUCE_INIT {.at = 0}

enum reduce_answer {
	REDUCE_PERFORM,	  /* *thread's operation */
	REDUCE_LEAF,	  /* nothing is possible: the end, or a deadlock */
	REDUCE_REDUNDANT, /* whatever is possible leads to what was run before */
	REDUCE_DIVERGED,  /* the offers are not those that were made here before */
	REDUCE_GIVEN_UP,
};

/* A new execution begins; the path is what it has to follow. */
void reduce_begin(struct reduce *r);

/* The same of an execution that has followed the whole path by itself. */
void reduce_followed(struct reduce *r);

/*
 * The offers at the next point, by thread, each thread at most once.  preferred: the thread to take
 * when nothing speaks for another, REDUCE_ANY for the first.
 */
#define REDUCE_ANY UINT32_MAX
enum reduce_answer reduce_next(struct reduce *r, const struct reduce_offer *offers, size_t n,
			       uint32_t preferred, uint32_t *thread);

/* The path is that of the next execution; false when all have been. */
bool reduce_backtrack(struct reduce *r);

/* The last choice of the path was not possible after all: others there may be needed instead. */
void reduce_refuse(struct reduce *r);

/* The offers that a point had. */
const struct reduce_offer *reduce_offers(const struct reduce *r, const struct reduce_point *p);

/* How many ways the search knows at a point so far, and how many of them are over. */
void reduce_ways(const struct reduce_point *p, bool whole, uint64_t *ways, uint64_t *over);

void reduce_fini(struct reduce *r);

#endif
