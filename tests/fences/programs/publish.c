/*
 * A structure is filled and then published by its address; the reader may find it empty.
 * fails: pso
 */
#include "fences.h"

struct point {
	int x, y;
};

static _Atomic(struct point *) current;

static void *writer(void *arg)
{
	struct point *p = malloc(sizeof(*p));

	p->x = 2;
	p->y = 3;
	RELEASE(1, current, p); // release 1: pso
	return arg;
}

static void *reader(void *arg)
{
	struct point *p = READ(current);

	if (p)
		heddle_assert(p->x + 1 == p->y);
	return arg;
}

PROGRAM(nothing, writer, reader)
