/*
 * A weak compare and swap before there are threads is not followed.
 *
 * expect: 4
 * match: weak compare and swap may fail before there are threads
 * options: --spurious=on
 */
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x;

static void *add(void *arg)
{
	x++;
	return arg;
}

int main(void)
{
	pthread_t t;
	int expected = 0;

	while (!atomic_compare_exchange_weak(&x, &expected, 1))
		expected = 0;
	pthread_create(&t, NULL, add, NULL);
	pthread_join(t, NULL);
	return x != 2;
}
