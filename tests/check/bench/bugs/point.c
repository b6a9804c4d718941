/*
 * A publisher makes a fresh point in each round and publishes the pointer; a reader checks that the
 * fields belong together.
 * Bug: under PSO the pointer overtakes the fields.  Under SC and TSO there is none.
 * Cause: a plain store publishes.
 * expect: assert
 * found: --strategy=random --runs=2000 --model=pso
 */
#include "../bench.h"

#ifndef ROUNDS
#define ROUNDS 4
#endif

struct point {
	int x, y;
};

static struct point *current;

static void *publisher(void *arg)
{
	for (int i = 0; i < ROUNDS; i++) {
		struct point *fresh = malloc(sizeof(*fresh));

		fresh->x = i;
		fresh->y = i + 1;
		current = fresh;
	}
	return arg;
}

static void *reader(void *arg)
{
	for (int i = 0; i < ROUNDS; i++) {
		struct point *p = current;

		if (p)
			assert(p->x + 1 == p->y);
	}
	return arg;
}

int main(void)
{
	start(publisher, 0);
	start(reader, 0);
	join_all();
	return 0;
}
