/*
 * Which routine a thread runs depends on what its creator read; one of them fails.
 *
 * expect: 1
 * match: assertion failed
 * drawn
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x;

static void *set(void *arg)
{
	atomic_store(&x, 1);
	return NULL;
}

static void *good(void *arg)
{
	return NULL;
}

static void *bad(void *arg)
{
	assert(atomic_load(&x) == 0);
	return NULL;
}

int main(void)
{
	pthread_t t, u;

	pthread_create(&t, NULL, set, NULL);
	pthread_create(&u, NULL, atomic_load(&x) ? bad : good, NULL);
	pthread_join(t, NULL);
	pthread_join(u, NULL);
	return 0;
}
