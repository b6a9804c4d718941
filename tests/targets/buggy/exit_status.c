/*
 * Bug: the self-test ends with status 3.
 * Cause: the two halves of the result are published one after the other.
 * expect: exit
 * options: --exit-code
 */
#include <pthread.h>
#include <stdatomic.h>

static atomic_int low, high;

static void *publisher(void *arg)
{
	atomic_store(&low, 1);
	atomic_store(&high, 1);
	return arg;
}

int main(void)
{
	pthread_t t;

	pthread_create(&t, NULL, publisher, NULL);
	int l = atomic_load(&low), h = atomic_load(&high);
	pthread_join(t, NULL);
	return l == h ? 0 : 3;
}
