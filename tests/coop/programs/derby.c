/*
 * The descriptor of a table is set to null while somebody who has checked it reads it.
 *
 * Expected: signal
 */
#include <pthread.h>

#include "nudge.h"

struct table {
	int columns, rows;
};
struct descriptor {
	struct table *referenced;
	int valid;
};
static struct table one = {3, 9};
static struct descriptor view = {&one, 1};
static int total;

static void *query(void *arg)
{
	if (view.valid && view.referenced) {
		nudge_pass(0);
		nudge_wait(1);
		total += view.referenced->columns * view.referenced->rows;
	}
	return arg;
}

static void *drop(void *arg)
{
	nudge_wait(0);
	view.valid = 0;
	view.referenced = 0;
	nudge_pass(1);
	return arg;
}

int main(void)
{
	pthread_t t[2];

	nudge_init(2);
	pthread_create(&t[0], 0, query, 0);
	pthread_create(&t[1], 0, drop, 0);
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], 0);
	return 0;
}
