/*
 * Two variables, a lock that protects only some of their accesses, and three threads.
 * Bug: an error branch that needs y == 3 to be seen while x == 2.
 * Cause: the increment of y and the store x = 2 are outside of the lock.
 * expect: assert
 * found: --strategy=pct --depth=8 --runs=50000
 */
#include "../bench.h"

static int x, y;
static pthread_mutex_t l = PTHREAD_MUTEX_INITIALIZER;

static void *t1(void *arg)
{
	for (int i = 0; i < 2; i++) {
		pthread_mutex_lock(&l);
		x = 0;
		pthread_mutex_unlock(&l);
		if (x > 0) {
			y = y + 1;
			x = 2;
		}
	}
	return arg;
}

static void *t2(void *arg)
{
	for (int i = 0; i < 2; i++)
		if (x > 1) {
			int seen = y;

			assert(seen != 3);
			y = 2;
		}
	return arg;
}

int main(void)
{
	start(t1, 0);
	start(t2, 0);
	for (int i = 0; i < 2; i++) {
		pthread_mutex_lock(&l);
		x = 1;
		y = 1;
		pthread_mutex_unlock(&l);
	}
	join_all();
	return 0;
}
