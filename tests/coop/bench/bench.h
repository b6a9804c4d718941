/*
 * For the programs of the literature in larger sizes: nothing makes them fail but what real threads
 * happen to do.  The first argument is the size.  work() takes time, rest() gives
 * others the time; neither touches shared memory.
 *
 * With BENCH_TIME (and NDEBUG) the programs do not fail but print how long their threads took.
 */
#ifndef BENCH_H
#define BENCH_H

#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

#ifdef BENCH_TIME
#include <stdio.h>
#include <time.h>
#define pthread_cond_signal pthread_cond_broadcast
#define BENCH_LOOKS (1 << 30)
#else
#define BENCH_LOOKS 1
#endif

static inline int bench_size(int argc, char **argv, int standard)
{
	int n = argc > 1 ? atoi(argv[1]) : standard;

	return n > 0 ? n : standard;
}

static inline void work(int n)
{
	for (volatile int i = 0; i < n;)
		i = i + 1;
}

static inline void rest(int times)
{
#ifdef BENCH_TIME
	work(times * 20000);
#else
	for (int i = 0; i < times; i++)
		usleep(50);
#endif
}

/* Runs the bodies side by side, each with its number, and waits for them. */
static inline void bench_run(int n, void *(*const *bodies)(void *))
{
	pthread_t t[16];
#ifdef BENCH_TIME
	struct timespec begin, end;

	clock_gettime(CLOCK_MONOTONIC, &begin);
#endif
	for (int i = 0; i < n && i < 16; i++)
		pthread_create(&t[i], NULL, bodies[i], (void *)(long)i);
	for (int i = 0; i < n && i < 16; i++)
		pthread_join(t[i], NULL);
#ifdef BENCH_TIME
	clock_gettime(CLOCK_MONOTONIC, &end);
	printf("%lld\n", (end.tv_sec - begin.tv_sec) * 1000000000LL + end.tv_nsec - begin.tv_nsec);
#endif
}

#endif
