/*
 * Bug: the maximum goes down.
 * Cause: after a failed compare-and-swap the loop does not compare with the new value again.
 * expect: assert
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int maximum;

static void maximum_raise(int v)
{
	int old = atomic_load(&maximum);

	if (v > old)
		while (!atomic_compare_exchange_strong(&maximum, &old, v))
			;
}

static void *raiser(void *arg)
{
	maximum_raise((int)(long)arg);
	return NULL;
}

int main(void)
{
	pthread_t a, b;

	pthread_create(&a, NULL, raiser, (void *)5L);
	pthread_create(&b, NULL, raiser, (void *)9L);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	assert(atomic_load(&maximum) == 9);
	return 0;
}
