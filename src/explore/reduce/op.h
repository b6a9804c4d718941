/*
 * Operations as partial-order reduction sees them: which objects one touches, how, and what that
 *says about the order of two of them.
 *
 * Two operations are dependent when they share an object that one of them changes.  What the rows
 *of the table below leave out is taken for a change, which may cost executions and never loses one.
 *
 *	operation		possible when		touches
 *	lock, trylock		free / always		the mutex
 *	unlock, post, signal	always			the object
 *	wait of a semaphore	its value is above 0	the semaphore
 *	rdlock / wrlock		no writer / nobody	the lock; rdlock only looks at it
 *	cond_wait		always, then when	the condition and the mutex; then the mutex,
 *and signalled and free	it looks at the condition barrier			always, then
 *when full	the barrier; leaving looks at it create, end, join	always / has ended	the
 *thread turn, return		always			the queue of the schedule outside exit
 *always			everything
 */
#ifndef HEDDLE_EXPLORE_REDUCE_OP_H
#define HEDDLE_EXPLORE_REDUCE_OP_H

#include <stdbool.h>
#include <stdint.h>

#define X(NAME, text) REDUCE_##NAME,
enum reduce_kind {
#include "wire/nested_ops.def"
	REDUCE_KINDS
};
#undef X

#define REDUCE_THREADS 64

struct reduce_op {
	uint32_t thread;
	uint16_t kind;		 /* enum reduce_kind */
	uint32_t begins;	 /* 1 + the thread that it begins; 0: none */
	uint64_t object, second; /* 0: none */
	uint64_t arg;		 /* whatever else must be the same when it is met again */
};

/* Whether the order of two operations of different threads matters. */
bool reduce_dependent(const struct reduce_op *a, const struct reduce_op *b);

/*
 * Whether both could be possible at one point.  Only certain answers are no: then their order is
 * not a choice that anybody has.
 */
bool reduce_coenabled(const struct reduce_op *earlier, const struct reduce_op *later);

/* It takes a mutex, and waits until it is free. */
bool reduce_acquires(const struct reduce_op *o);

/*
 * o comes after `earlier', which is in its past: then so is everything older that o depends on.  An
 * ordered operation that only looks says nothing about older ones that only look.
 */
bool reduce_covers_older(const struct reduce_op *earlier, const struct reduce_op *o);

bool reduce_same(const struct reduce_op *a, const struct reduce_op *b);

/* A word for it: "lock". */
const char *reduce_word(unsigned kind);

#endif
