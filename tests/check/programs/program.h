/*
 * The words the programs of this directory are written in.  Every READ is one load, every WRITE one
 * store of a shared variable.  Main only creates the threads, in the order written, and joins them;
 * what a thread returns is stored as its last act and read by main after all joins, so that these
 * accesses add no states.
 *
 *	SHARED(x);                      shared variables, 0 unless initialised
 *	THREAD(t1) { ... return 0; }    bodies, which know their number as `me'
 *	PROGRAM(check, t1, t2)          main; check(r) looks at the results, `anything' does not
 *	TIMES(3, t1)                    t1, t1, t1
 *	ROUND(wait); while (…)          a loop that may wait as long as it takes: a round that ends
 *		AGAIN(wait);            in AGAIN has changed nothing and is as if it had not been
 *
 * With ENUMERATE the same text becomes an exhaustive search over all its executions (enumerate.h);
 * with PEER it does without heddle's header and rarer ones, for other checkers.
 *
 * The head comment of each program says what it is and then, machine readable (A/B: executions and
 * distinct states; an entry without a value is not known):
 *
 *	case: -DK=2                     options of the lines up to the next case; none without one;
 *	                                -DLONG: only in the long form of the suite
 *	states: SC=3 TSO=4 PSO=4        distinct states (values of all reads)
 *	violations: SC=0 TSO=1 PSO=1    how many of them violate the property
 *	classic: SC=3/3 TSO=5/4         what the classic algorithm needs and finds
 *	se: SC=3/3                      what the one with switch equivalence does
 *	spurious: SC=5                  states when sleepers may wake up for no reason
 *	complete: less                  the algorithm of that name leaves some out and says so (it
 *	                                always wakes the first sleeper)
 *	static: MCR-S=4 MCR-S+=3        executions with static dependencies
 */
#ifndef PROGRAM_H
#define PROGRAM_H

#ifdef ENUMERATE
#include "../enumerate.h"
#else

#ifdef PEER
#include <assert.h>
#define heddle_assert(expression) assert(expression)
#else
#include <heddle/heddle.h>
#endif
#include <pthread.h>
#include <stdatomic.h>
#ifndef PEER
#include <semaphore.h>
#include <time.h>
#endif

#define SHARED_TYPE _Atomic int
#define SHARED(variable) static SHARED_TYPE variable
#define READ(variable) atomic_load_explicit(&(variable), memory_order_relaxed)
#define WRITE(variable, value) atomic_store_explicit(&(variable), (value), memory_order_relaxed)
#define XCHG(variable, value) atomic_exchange_explicit(&(variable), (value), memory_order_relaxed)
#define ADD(variable, value) atomic_fetch_add_explicit(&(variable), (value), memory_order_relaxed)
/* 1 when the variable had the old value and has the new one. */
#define CAS(variable, old, fresh)                                                                  \
	__extension__({                                                                            \
		int expected_ = (old);                                                             \
		atomic_compare_exchange_strong_explicit(&(variable), &expected_, (fresh),          \
							memory_order_relaxed,                      \
							memory_order_relaxed);                     \
	})
/* The same, giving the old value. */
#define CAS_OLD(variable, old, fresh)                                                              \
	__extension__({                                                                            \
		int expected_ = (old);                                                             \
		atomic_compare_exchange_strong_explicit(&(variable), &expected_, (fresh),          \
							memory_order_relaxed,                      \
							memory_order_relaxed);                     \
		expected_;                                                                         \
	})
#define FENCE() atomic_thread_fence(memory_order_seq_cst)
#define ROUND(name) ((void)0)
#define AGAIN(name) ((void)0)

#ifdef PEER
/* Not all know the static initialiser; a program for them has one mutex at most. */
static void (*peer_init)(void);
#define MUTEX(name)                                                                                \
	static pthread_mutex_t name;                                                               \
	static void name##_init(void)                                                              \
	{                                                                                          \
		pthread_mutex_init(&name, NULL);                                                   \
	}                                                                                          \
	static void (*peer_init)(void) = name##_init
#define PROGRAM_BEGIN() (peer_init ? peer_init() : (void)0)
#else
#define MUTEX(name) static pthread_mutex_t name = PTHREAD_MUTEX_INITIALIZER
#define PROGRAM_BEGIN() ((void)0)
#endif
#define LOCK(name) pthread_mutex_lock(&(name))
#define UNLOCK(name) pthread_mutex_unlock(&(name))
/* 1 when it was free and is taken now; likewise below. */
#define TRYLOCK(name) (pthread_mutex_trylock(&(name)) == 0)

#define CONDITION(name) static pthread_cond_t name = PTHREAD_COND_INITIALIZER
#define WAIT(name, mutex) pthread_cond_wait(&(name), &(mutex))
/* 1 when the time was up; the limit lies so far ahead that only a model of time gets there. */
#define TIMEDWAIT(name, mutex)                                                                     \
	(pthread_cond_timedwait(&(name), &(mutex), &(struct timespec){4000000000, 0}) != 0)
#define SIGNAL(name) pthread_cond_signal(&(name))
#define BROADCAST(name) pthread_cond_broadcast(&(name))

#define SEMAPHORE(name, tokens)                                                                    \
	static sem_t name;                                                                         \
	__attribute__((constructor)) static void name##_init(void)                                 \
	{                                                                                          \
		sem_init(&name, 0, (tokens));                                                      \
	}                                                                                          \
	static sem_t name
#define SEM_WAIT(name) sem_wait(&(name))
#define SEM_TRYWAIT(name) (sem_trywait(&(name)) == 0)
#define SEM_POST(name) sem_post(&(name))

#define RWLOCK(name) static pthread_rwlock_t name = PTHREAD_RWLOCK_INITIALIZER
#define RDLOCK(name) pthread_rwlock_rdlock(&(name))
#define WRLOCK(name) pthread_rwlock_wrlock(&(name))
#define TRYRDLOCK(name) (pthread_rwlock_tryrdlock(&(name)) == 0)
#define TRYWRLOCK(name) (pthread_rwlock_trywrlock(&(name)) == 0)
#define RWUNLOCK(name) pthread_rwlock_unlock(&(name))

#define BARRIER(name, threads)                                                                     \
	static pthread_barrier_t name;                                                             \
	__attribute__((constructor)) static void name##_init(void)                                 \
	{                                                                                          \
		pthread_barrier_init(&name, NULL, (threads));                                      \
	}                                                                                          \
	static pthread_barrier_t name
/* 1 for the last to arrive. */
#define BARRIER_WAIT(name) (pthread_barrier_wait(&(name)) != 0)

#define PROGRAM_THREADS 16

static int results[PROGRAM_THREADS];

#define THREAD(name)                                                                               \
	static int name##_body(int me);                                                            \
	static void *name(void *result)                                                            \
	{                                                                                          \
		*(int *)result = name##_body((int)((int *)result - results));                      \
		return NULL;                                                                       \
	}                                                                                          \
	static int name##_body(int me __attribute__((unused)))

#define PROGRAM(check, ...)                                                                        \
	int main(void)                                                                             \
	{                                                                                          \
		static void *(*const starts[])(void *) = {__VA_ARGS__};                            \
		enum { COUNT = sizeof(starts) / sizeof(starts[0]) };                               \
		pthread_t threads[COUNT];                                                          \
                                                                                                   \
		PROGRAM_BEGIN();                                                                   \
		for (int i = 0; i < COUNT; i++)                                                    \
			pthread_create(&threads[i], NULL, starts[i], &results[i]);                 \
		for (int i = 0; i < COUNT; i++)                                                    \
			pthread_join(threads[i], NULL);                                            \
		check(results);                                                                    \
		return 0;                                                                          \
	}

#endif

/* Written with N instead of a number, the name is found after N is replaced. */
#define TIMES(n, name) TIMES_OF(n, name)
#define TIMES_OF(n, name) TIMES_##n(name)
#define TIMES_1(name) name
#define TIMES_2(name) name, name
#define TIMES_3(name) TIMES_2(name), name
#define TIMES_4(name) TIMES_3(name), name
#define TIMES_5(name) TIMES_4(name), name
#define TIMES_6(name) TIMES_5(name), name
#define TIMES_7(name) TIMES_6(name), name
#define TIMES_8(name) TIMES_7(name), name
#define TIMES_9(name) TIMES_8(name), name
#define TIMES_10(name) TIMES_9(name), name
#define TIMES_11(name) TIMES_10(name), name

__attribute__((unused)) static void anything(const int *r)
{
	(void)r;
}

#endif
