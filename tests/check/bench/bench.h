/*
 * Shared by the larger programs: starting and joining.
 *
 * The head comment of each program says what it is, what is wrong with it and, machine readable:
 *
 *	expect: KIND …     findings that are right (assert, signal, deadlock, heap-range, …) or clean
 *	found: ARGUMENTS   of heddle check: a search that finds it, or that a clean program
 *	                   survives; none: no search within reach does
 *	flags: OPTIONS     of the compiler
 */
#ifndef BENCH_H
#define BENCH_H

#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>

#define BENCH_MAX_THREADS 128

static pthread_t bench_threads[BENCH_MAX_THREADS];
static int bench_count;

__attribute__((unused)) static void start(void *(*routine)(void *), intptr_t number)
{
	if (pthread_create(&bench_threads[bench_count++], NULL, routine, (void *)number))
		abort();
}

__attribute__((unused)) static void join_all(void)
{
	while (bench_count > 0)
		pthread_join(bench_threads[--bench_count], NULL);
}

#endif
