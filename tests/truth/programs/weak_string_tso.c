/*
 * strlen() waits for the thread's stores under heddle, and not on a processor.
 *
 * expect: 4
 * match: waited for late stores
 * options: --model=tso
 */
#include <assert.h>
#include <pthread.h>
#include <string.h>

static char x[4], y[4];
static size_t a, b;

static void *one(void *arg)
{
	__atomic_store_n(&x[0], 'a', __ATOMIC_RELAXED);
	a = strlen(y);
	return arg;
}

static void *other(void *arg)
{
	__atomic_store_n(&y[0], 'a', __ATOMIC_RELAXED);
	b = strlen(x);
	return arg;
}

int main(void)
{
	pthread_t t[2];

	pthread_create(&t[0], NULL, one, NULL);
	pthread_create(&t[1], NULL, other, NULL);
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], NULL);
	assert(a || b);
	return 0;
}
