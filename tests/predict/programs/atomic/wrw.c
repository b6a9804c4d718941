/*
 * A record is marked invalid, filled and marked valid; the reader sees the mark in between.
 * The mark is atomic, so there is no race.
 *
 * expect WRW
 */
#include <stdatomic.h>

#include <heddle/heddle.h>

#include "../program.h"

enum { OLD, INVALID, NEW };
static atomic_int mark;

static void *fill(void *arg)
{
	heddle_atomic_begin("fill");
	atomic_store(&mark, INVALID);
	atomic_store(&mark, NEW);
	heddle_atomic_end();
	return arg;
}

static void *look(void *arg)
{
	int seen = atomic_load(&mark);

	heddle_assert(seen != INVALID);
	return arg;
}

int main(void)
{
	pthread_t t[2];

	pthread_create(&t[0], NULL, fill, NULL);
	pthread_create(&t[1], NULL, look, NULL);
	join_all(t, 2);
	return 0;
}
