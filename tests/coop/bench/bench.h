/*
 * For the programs of the literature in larger sizes: nothing makes them fail but what real threads
 * happen to do.  The first argument is the size.  work() takes time, rest() gives
 * others the time; neither touches shared memory.
 */
#ifndef BENCH_H
#define BENCH_H

#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

static inline int bench_size(int argc, char **argv, int standard)
{
	int n = argc > 1 ? atoi(argv[1]) : standard;

	return n > 0 ? n : standard;
}

static inline void work(int n)
{
	for (int i = 0; i < n; i++)
		__asm__ volatile("");
}

static inline void rest(int times)
{
	for (int i = 0; i < times; i++)
		usleep(50);
}

/* Runs the bodies side by side, each with its number, and waits for them. */
static inline void bench_run(int n, void *(*const *bodies)(void *))
{
	pthread_t t[16];

	for (int i = 0; i < n && i < 16; i++)
		pthread_create(&t[i], NULL, bodies[i], (void *)(long)i);
	for (int i = 0; i < n && i < 16; i++)
		pthread_join(t[i], NULL);
}

#endif
