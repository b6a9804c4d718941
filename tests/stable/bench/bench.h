/* Shared by the benchmark programs: work that cannot be optimised away, and arguments. */
#ifndef BENCH_H
#define BENCH_H

#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "heddle/stable.h"

/* About one microsecond per 1000 units on a current machine. */
static inline uint64_t bench_work(uint64_t seed, int units)
{
	for (int i = 0; i < units; i++)
		seed = seed * 6364136223846793005u + 1442695040888963407u;
	return seed;
}

static inline int bench_arg(int argc, char **argv, int at, int fallback)
{
	return argc > at ? atoi(argv[at]) : fallback;
}

static inline void bench_spawn(pthread_t *t, void *(*fn)(void *), intptr_t n)
{
	if (pthread_create(t, NULL, fn, (void *)n) != 0)
		exit(3);
}

#endif
