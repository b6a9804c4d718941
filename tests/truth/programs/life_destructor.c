/*
 * A function with the destructor attribute runs when the process exits.
 *
 * expect: 1
 * match: assertion failed
 * drawn
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x;

__attribute__((destructor)) static void last(void)
{
	assert(atomic_load(&x) != 2);
}

static void *thread(void *arg)
{
	int seen = atomic_load(&x);

	atomic_store(&x, seen + 1);
	return arg;
}

int main(void)
{
	pthread_t t, u;

	pthread_create(&t, NULL, thread, NULL);
	pthread_create(&u, NULL, thread, NULL);
	pthread_join(t, NULL);
	pthread_join(u, NULL);
	return 0;
}
