/* Tables are described by views; a view is dropped and made again while queries that have checked
 * it read through it. */
#include "bench.h"

struct table {
	int columns, rows;
};
struct view {
	struct table *referenced;
	int valid, version, queries;
};
static struct table one = {3, 9};
static struct view view = {&one, 1, 1, 0};
static int total, dropped, rounds;

static void *query(void *arg)
{
	for (int i = 0; i < rounds; i++) {
		if (i % 100 == 0)
			rest(1);
		if (!view.valid || !view.referenced)
			continue;
		view.queries++;
		if (i == 200)
			rest(1);
		total += view.referenced->columns * view.referenced->rows;
	}
	return arg;
}

static void *drop(void *arg)
{
	for (int i = 0; i < 8; i++) {
		rest(1);
		view.valid = 0;
		view.referenced = NULL;
		dropped++;
		if (i == 2)
			rest(1);
		view.version++;
		view.referenced = &one;
		view.valid = 1;
	}
	return arg;
}

int main(int argc, char **argv)
{
	rounds = bench_size(argc, argv, 400);
	bench_run(2, (void *(*const[])(void *)){query, drop});
	return 0;
}
