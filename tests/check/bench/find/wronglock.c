/*
 * One thread guards a value by one lock, N others by another.
 * Bug: the value changes while it is held.
 * expect: assert
 * found: --strategy=mix --runs=20000
 * flags: -DN=1
 * trial: -DN=1 |
 * trial: -DN=3 |
 * trial: -DN=7 |
 */
#include "../bench.h"

static int value;
static pthread_mutex_t right = PTHREAD_MUTEX_INITIALIZER, wrong = PTHREAD_MUTEX_INITIALIZER;

static void *keeper(void *arg)
{
	int before;

	pthread_mutex_lock(&right);
	before = value;
	value = before + 1;
	assert(value == before + 1);
	pthread_mutex_unlock(&right);
	return arg;
}

static void *intruder(void *arg)
{
	pthread_mutex_lock(&wrong);
	value = 100;
	pthread_mutex_unlock(&wrong);
	return arg;
}

int main(void)
{
	start(keeper, 0);
	for (int i = 0; i < N; i++)
		start(intruder, i);
	join_all();
	return 0;
}
