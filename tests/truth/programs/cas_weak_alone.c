/*
 * A weak compare and swap may fail also where no other thread goes.
 *
 * expect: 1
 * match: assertion failed
 * options: --spurious=on
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int own;

static void *taker(void *arg)
{
	int expected = 0;

	assert(atomic_compare_exchange_weak(&own, &expected, 1));
	return arg;
}

int main(void)
{
	pthread_t t;

	pthread_create(&t, NULL, taker, NULL);
	pthread_join(t, NULL);
	return 0;
}
