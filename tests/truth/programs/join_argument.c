/*
 * The argument of a thread depends on what its creator read.
 *
 * expect: 0
 * drawn
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

static atomic_int x, sum;

static void *set(void *arg)
{
	atomic_store(&x, 1);
	return NULL;
}

static void *add(void *arg)
{
	atomic_fetch_add(&sum, (int)(intptr_t)arg);
	return NULL;
}

int main(void)
{
	pthread_t t, u;
	int seen;

	pthread_create(&t, NULL, set, NULL);
	seen = atomic_load(&x);
	pthread_create(&u, NULL, add, (void *)(intptr_t)(seen + 5));
	pthread_join(t, NULL);
	pthread_join(u, NULL);
	assert(atomic_load(&sum) == seen + 5);
	return 0;
}
