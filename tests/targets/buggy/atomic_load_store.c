/*
 * Bug: an increment is lost.
 * Cause: an atomic load followed by an atomic store is not an atomic increment.
 * expect: assert
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int counter;

static void *adder(void *arg)
{
	for (int i = 0; i < 2; i++)
		atomic_store(&counter, atomic_load(&counter) + 1);
	return arg;
}

int main(void)
{
	pthread_t a, b;

	pthread_create(&a, NULL, adder, NULL);
	pthread_create(&b, NULL, adder, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	assert(atomic_load(&counter) == 4);
	return 0;
}
