/* Shared by the parts of the enumerator. */
#ifndef ENUMERATE_PRIV_H
#define ENUMERATE_PRIV_H

#include <stdint.h>

#include "enumerate.h"

#define MAX_THREADS 12
#define MAX_LOCATIONS 24
#define MAX_BUFFERED 32
#define MAX_DEPTH 128

/* A local state of a thread, and what it does there. */
struct node {
	int thread, parent, depth;
	int result; /* of the parent's operation */
	int child, sibling;
	enum enumerate_op op;
	int expected;	     /* by OP_CAS; the mutex of OP_WAIT */
	int location, value; /* OP_END: value is what the body returned */
};

/* How far a thread has got inside its operation. */
enum phase { PHASE_BEFORE, PHASE_ASLEEP, PHASE_WOKEN, PHASE_TIMED_OUT, PHASE_NOT_STARTED };

struct store {
	int location;
	int value;
};

/*
 * memory is the difference to the initial value; that of a semaphore counts tokens, of a
 * lock readers, of a barrier arrivals.  owner is 1 more than the holder of a mutex or the
 * writer of a readers-writer lock, 0 when it is free.
 */
struct config {
	int nodes[MAX_THREADS];
	int phase[MAX_THREADS];
	int memory[MAX_LOCATIONS];
	int owner[MAX_LOCATIONS];
	int buffered[MAX_THREADS];
	struct store buffer[MAX_THREADS][MAX_BUFFERED];
};

/* Sleepers may wake up though nobody woke them. */
extern bool enumerate_spurious;

/* ---- enumerate_tree.c: the threads ---- */

void tree_reset(const struct enumerate_program *program);
/* A thread's first node. */
int tree_root(int thread);
/* The node after the operation at `node' gave this result. */
int tree_next(int node, int result);
const struct node *tree_node(int node);
int tree_locations(void);
int tree_initial(int location);
/* When all is known: which variables matter to several threads. */
void tree_find_shared(void);
/* Whether the result of the operation at a node comes from other threads. */
bool tree_is_read(int node);
/* Whether a body waited since the last reset: configurations may come again. */
bool tree_again(void);
/* Whether an assertion inside a body failed since the last reset. */
bool tree_asserted(void);
void *grow(void *items, size_t count, size_t size);
void limit(bool reached, const char *what);

/* ---- enumerate_step.c: what operations do ---- */

/* Takes a configuration that was reached. */
void enumerate_push(const struct config *c);
/* All that thread t can do next; whether there was anything. */
bool step_thread(const struct config *c, int t, int threads, enum enumerate_model model);
/* All stores of thread t that can reach memory next; whether there was any. */
bool step_flush(const struct config *c, int t, enum enumerate_model model);

#endif
