/*
 * What the programs of this directory are written in.
 *
 * The head comment says under which models the program fails ("fails: tso pso") and what else is to
 * be seen.  A store that heddle must advise a fence for is marked on its line with the models:
 *
 *	WRITE(flag[me], 1); // full 1: tso pso
 *	FULL(1);
 *	RELEASE(2, flag[me], 0); // release 2: pso
 *
 * PRESENT has bit n set when fence number n is really there.  With those of a model the program is
 * correct under it, with one of them less it fails again.
 */
#ifndef FENCES_H
#define FENCES_H

#include <heddle/heddle.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#ifndef PRESENT
#define PRESENT 0
#endif
#define IS_THERE(number) (PRESENT >> (number) & 1)

#define READ(variable) atomic_load_explicit(&(variable), memory_order_relaxed)
#define WRITE(variable, value) atomic_store_explicit(&(variable), (value), memory_order_relaxed)
#define FULL(number)                                                                               \
	do {                                                                                       \
		if (IS_THERE(number))                                                              \
			atomic_thread_fence(memory_order_seq_cst);                                 \
	} while (0)
#define RELEASE(number, variable, value)                                                           \
	do {                                                                                       \
		if (IS_THERE(number))                                                              \
			atomic_thread_fence(memory_order_release);                                 \
		WRITE(variable, value);                                                            \
	} while (0)

static _Atomic int inside;

/* The critical section: nobody else may be in it. */
__attribute__((unused)) static void be_alone(int me)
{
	heddle_assert(READ(inside) == 0);
	WRITE(inside, me + 1);
	WRITE(inside, 0);
}

#define PROGRAM(check, ...)                                                                        \
	static void *(*const fences_starts[])(void *) = { __VA_ARGS__ };                           \
	int main(void)                                                                             \
	{                                                                                          \
		enum { COUNT = sizeof(fences_starts) / sizeof(fences_starts[0]) };                 \
		pthread_t threads[COUNT];                                                          \
                                                                                                   \
		for (long i = 0; i < COUNT; i++)                                                   \
			pthread_create(&threads[i], NULL, fences_starts[i], (void *)i);            \
		for (int i = 0; i < COUNT; i++)                                                    \
			pthread_join(threads[i], NULL);                                            \
		check();                                                                           \
		return 0;                                                                          \
	}

__attribute__((unused)) static void nothing(void)
{
}

#endif
