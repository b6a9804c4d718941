/*
 * Every execution of a program of programs/, found without heddle: the expectation in its head
 * comment is checked against this.
 *
 * Idea.  What a thread does next depends only on the results of its operations so far.  So its
 * local states form a tree, whose edges are results; the next operation at a node is found by
 * calling the thread's body, giving it the results along the path, and leaving by longjmp at the
 * first operation after them.  A configuration is a node per thread, the memory, the owners of the
 * locks and the store buffers; a search over configurations visits each once.  The state of a
 * finished execution is its tuple of nodes.
 */
#ifndef ENUMERATE_H
#define ENUMERATE_H

enum enumerate_op {
	OP_READ,
	OP_WRITE,
	OP_XCHG,
	OP_ADD,
	OP_CAS,
	OP_FENCE,
	OP_LOCK,
	OP_UNLOCK,
	OP_END,
};

/* One operation of the body under way; its result. */
int enumerate_op(enum enumerate_op op, int *location, int value);
/* Compare and swap; the old value is its result. */
int enumerate_cas(int *location, int old, int fresh);
/* A property of the state being looked at does not hold. */
void enumerate_violated(void);
/* Searches and prints; argument: sc, tso or pso. */
int enumerate(int argc, char **argv, int (*const *bodies)(void), int count,
	      void (*check)(const int *results));

#define SHARED_TYPE int
#define SHARED(variable) static SHARED_TYPE variable
#define READ(variable) enumerate_op(OP_READ, &(variable), 0)
#define WRITE(variable, value) ((void)enumerate_op(OP_WRITE, &(variable), (value)))
#define XCHG(variable, value) enumerate_op(OP_XCHG, &(variable), (value))
#define ADD(variable, value) enumerate_op(OP_ADD, &(variable), (value))
#define CAS(variable, old, fresh)                                                                  \
	__extension__({                                                                            \
		int old_ = (old);                                                                  \
		enumerate_cas(&(variable), old_, (fresh)) == old_;                                 \
	})
#define FENCE() ((void)enumerate_op(OP_FENCE, 0, 0))

#define MUTEX(name) static int name
#define LOCK(name) ((void)enumerate_op(OP_LOCK, &(name), 0))
#define UNLOCK(name) ((void)enumerate_op(OP_UNLOCK, &(name), 0))

#define heddle_assert(expression) ((expression) ? (void)0 : enumerate_violated())

#define THREAD(name) static int name(void)
#define PROGRAM(check, ...)                                                                        \
	int main(int argc, char **argv)                                                            \
	{                                                                                          \
		static int (*const bodies[])(void) = { __VA_ARGS__ };                              \
                                                                                                   \
		return enumerate(argc, argv, bodies, sizeof(bodies) / sizeof(bodies[0]), check);   \
	}

#endif
