/*
 * Toy programs for partial-order reduction: threads that are lists of operations, executed one
 * operation at a time over plain data, so that all interleavings can be enumerated.
 */
#ifndef SUPPORT_TOY_H
#define SUPPORT_TOY_H

#include "explore/reduce/reduce.h"

#define TOY_THREADS 4
#define TOY_OPS 24
#define TOY_OBJECTS 6

struct toy_step {
	enum reduce_kind kind;
	uint32_t object, second; /* from 1 */
	uint32_t skip;		 /* steps passed over when a try fails or 0 is read */
};

struct toy {
	uint32_t threads;
	uint32_t count[TOY_THREADS];
	struct toy_step steps[TOY_THREADS][TOY_OPS];
	uint32_t sem[TOY_OBJECTS + 1]; /* values at the start */
	uint32_t barrier;	       /* threads that a barrier waits for */
};

struct toy_state {
	uint32_t pc[TOY_THREADS];
	uint32_t value[TOY_OBJECTS + 1];
	uint32_t owner[TOY_OBJECTS + 1]; /* of a mutex, or the writer: 1 + thread */
	uint32_t readers[TOY_OBJECTS + 1], sem[TOY_OBJECTS + 1], arrived[TOY_OBJECTS + 1];
	uint32_t queue[TOY_OBJECTS + 1][TOY_THREADS], waiting[TOY_OBJECTS + 1];
	bool woken[TOY_THREADS];
};

/* "L1 U1" and so on, one text per thread: L U T lock, unlock, try; R W read, write; P V semaphores;
 * C D N B cond_wait (object, mutex) in its two parts, signal, broadcast; r w u rwlocks; A barrier.
 */
void toy_parse(struct toy *p, const char *const *threads, uint32_t n);

void toy_start(const struct toy *p, struct toy_state *s);
bool toy_next(const struct toy *p, const struct toy_state *s, uint32_t t, struct reduce_op *op);
bool toy_enabled(const struct toy *p, const struct toy_state *s, uint32_t t);
void toy_do(const struct toy *p, struct toy_state *s, uint32_t t);

struct toy_classes {
	uint64_t *keys;
	bool *stuck;
	size_t count, capacity, runs, most_runs;
	bool over, wrong; /* too many runs; independent operations that do not commute */
};

/* Every interleaving, by classes. */
void toy_enumerate(const struct toy *p, struct toy_classes *c);
/* What the reduction runs. */
void toy_explore(const struct toy *p, bool whole, struct toy_classes *c, size_t *redundant);
void toy_classes_fini(struct toy_classes *c);
size_t toy_stuck(const struct toy_classes *c);

#endif
