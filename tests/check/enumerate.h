/*
 * Every execution of a program of programs/, found without heddle: the expectation in its head
 * comment is checked against this.
 *
 * Idea.  What a thread does next depends only on the results of its operations so far.  So its
 * local states form a tree, whose edges are results; the next operation at a node is found by
 * calling the thread's body, giving it the results along the path, and leaving by longjmp at the
 * first operation after them.  A configuration is a node per thread, the memory, the state of the
 * locks and the like, and the store buffers; a search over configurations visits each once.  The
 * state of a finished execution is its tuple of nodes.
 *
 * A loop that waits leads back to the node where its round began, so that what it met meanwhile
 * does not count; whoever writes the program says where (AGAIN).
 *
 * The result of an operation is what the program gets to see of it: nothing of a lock, whether a
 * trylock succeeded, whether a timed wait ran out of time, who is the last at a barrier.
 */
#ifndef ENUMERATE_H
#define ENUMERATE_H

#include <stdbool.h>
#include <stddef.h>

enum enumerate_model { SC, TSO, PSO, MODELS };

enum enumerate_op {
	OP_READ,
	OP_WRITE,
	OP_XCHG,
	OP_ADD,
	OP_CAS,
	OP_FENCE,
	OP_LOCK,
	OP_UNLOCK,
	OP_TRYLOCK,
	OP_WAIT,
	OP_TIMEDWAIT,
	OP_SIGNAL,
	OP_BROADCAST,
	OP_SEM_WAIT,
	OP_SEM_TRYWAIT,
	OP_SEM_POST,
	OP_RDLOCK,
	OP_WRLOCK,
	OP_TRYRDLOCK,
	OP_TRYWRLOCK,
	OP_RWUNLOCK,
	OP_BARRIER,
	OP_SPAWN,
	OP_JOIN,
	OP_AGAIN, /* no operation: the thread is back where it was */
	OP_END,
};

/* Threads from number `roots' on begin when another one starts them. */
struct enumerate_program {
	int (*const *bodies)(void);
	int count, roots;
};

struct enumerate_result {
	size_t states; /* distinct ones in which no thread can go on, whole or stuck */
	size_t stuck;  /* those of them in which a thread has not ended; and, when threads may go
			  round for ever, 1 more */
	/*
	 * Distinct maps from reads to values: like states, but of a thread that is stuck it counts
	 * only what it read of variables that matter to several threads, not where it stands.
	 */
	size_t maps;
	size_t told;   /* the same when somebody is told that all have ended */
	bool asserted; /* an assertion inside a body can fail */
	bool complete; /* false when the limit was reached */
	size_t configurations;
};

/* Told of each state: what the bodies returned, or whether they are stuck. */
typedef void (*enumerate_visit_fn)(void *arg, const int *results, bool stuck);

/* At most `limit' configurations, 0: as many as there are. */
struct enumerate_result enumerate_run(const struct enumerate_program *program,
				      enum enumerate_model model, size_t limit,
				      enumerate_visit_fn visit, void *arg);

/* The whole of a program's main; arguments: sc, tso or pso, and spurious. */
int enumerate_main(int argc, char **argv, const struct enumerate_program *program,
		   void (*check)(const int *results));

/* One operation of the body under way; its result. */
int enumerate_op(enum enumerate_op op, int *location, int value);
/* Compare and swap; the old value is its result. */
int enumerate_cas(int *location, int old, int fresh);
/* Waiting for a condition. */
int enumerate_wait(enum enumerate_op op, int *condition, int *mutex);
/* A place in the body, and that the thread is there again with nothing changed. */
int enumerate_round(void);
void enumerate_again(int round);
/* The number of the thread whose body is under way. */
int enumerate_thread(void);
/* A property of the state being looked at does not hold. */
void enumerate_violated(void);
/* Whether one did not since this was last asked. */
bool enumerate_was_violated(void);

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
/* The same, giving the old value. */
#define CAS_OLD(variable, old, fresh) enumerate_cas(&(variable), (old), (fresh))
#define FENCE() ((void)enumerate_op(OP_FENCE, 0, 0))
#define ROUND(name) int name = enumerate_round()
#define AGAIN(name) enumerate_again(name)

#define MUTEX(name) static int name
#define LOCK(name) ((void)enumerate_op(OP_LOCK, &(name), 0))
#define UNLOCK(name) ((void)enumerate_op(OP_UNLOCK, &(name), 0))
#define TRYLOCK(name) enumerate_op(OP_TRYLOCK, &(name), 0)

#define CONDITION(name) static int name
#define WAIT(name, mutex) ((void)enumerate_wait(OP_WAIT, &(name), &(mutex)))
#define TIMEDWAIT(name, mutex) enumerate_wait(OP_TIMEDWAIT, &(name), &(mutex))
#define SIGNAL(name) ((void)enumerate_op(OP_SIGNAL, &(name), 0))
#define BROADCAST(name) ((void)enumerate_op(OP_BROADCAST, &(name), 0))

#define SEMAPHORE(name, tokens) static int name = (tokens)
#define SEM_WAIT(name) ((void)enumerate_op(OP_SEM_WAIT, &(name), 0))
#define SEM_TRYWAIT(name) enumerate_op(OP_SEM_TRYWAIT, &(name), 0)
#define SEM_POST(name) ((void)enumerate_op(OP_SEM_POST, &(name), 0))

#define RWLOCK(name) static int name
#define RDLOCK(name) ((void)enumerate_op(OP_RDLOCK, &(name), 0))
#define WRLOCK(name) ((void)enumerate_op(OP_WRLOCK, &(name), 0))
#define TRYRDLOCK(name) enumerate_op(OP_TRYRDLOCK, &(name), 0)
#define TRYWRLOCK(name) enumerate_op(OP_TRYWRLOCK, &(name), 0)
#define RWUNLOCK(name) ((void)enumerate_op(OP_RWUNLOCK, &(name), 0))

#define BARRIER(name, threads) static int name = (threads)
#define BARRIER_WAIT(name) enumerate_op(OP_BARRIER, &(name), 0)

/* Starts thread number n of the program; waits for its end. */
#define SPAWN(n) ((void)enumerate_op(OP_SPAWN, 0, (n)))
#define JOIN(n) ((void)enumerate_op(OP_JOIN, 0, (n)))

#define heddle_assert(expression) ((expression) ? (void)0 : enumerate_violated())

#define THREAD(name)                                                                               \
	static int name##_body(int me);                                                            \
	static int name(void)                                                                      \
	{                                                                                          \
		return name##_body(enumerate_thread());                                            \
	}                                                                                          \
	static int name##_body(int me __attribute__((unused)))
#define PROGRAM(check, ...)                                                                        \
	int main(int argc, char **argv)                                                            \
	{                                                                                          \
		static int (*const bodies[])(void) = {__VA_ARGS__};                                \
		enum { COUNT = sizeof(bodies) / sizeof(bodies[0]) };                               \
		struct enumerate_program program = {bodies, COUNT, COUNT};                         \
                                                                                                   \
		return enumerate_main(argc, argv, &program, check);                                \
	}

#endif
