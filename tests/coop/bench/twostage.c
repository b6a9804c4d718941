/* One value is stored under one lock, what follows from it under another: a reader comes between.
 */
#include <assert.h>

#include "bench.h"

static int first, second, rounds;
static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;

static void *writer(void *arg)
{
	for (int i = 1; i <= rounds; i++) {
		if (i % 100)
			continue;
		rest(1);
		pthread_mutex_lock(&a);
		first = i;
		pthread_mutex_unlock(&a);
		if (i == rounds / 2)
			rest(1);
		pthread_mutex_lock(&b);
		second = i + 1;
		pthread_mutex_unlock(&b);
	}
	return arg;
}

static void *reader(void *arg)
{
	for (int i = 0; i < rounds; i++) {
		int x, y;

		if (i % 1000 == 0)
			rest(10);
		pthread_mutex_lock(&a);
		x = first;
		pthread_mutex_unlock(&a);
		pthread_mutex_lock(&b);
		y = second;
		pthread_mutex_unlock(&b);
		assert(x == 0 || y == x + 1 || y > x);
	}
	return arg;
}

int main(int argc, char **argv)
{
	rounds = bench_size(argc, argv, 6000);
	bench_run(2, (void *(*const[])(void *)){writer, reader});
	return 0;
}
