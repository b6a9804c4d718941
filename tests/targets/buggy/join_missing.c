/*
 * Bug: the sum lacks the part of a thread.
 * Cause: the result is read before the second thread is joined.
 * expect: assert
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int sum;

static void *part(void *arg)
{
	atomic_fetch_add(&sum, (int)(long)arg);
	return NULL;
}

int main(void)
{
	pthread_t a, b;

	pthread_create(&a, NULL, part, (void *)1L);
	pthread_create(&b, NULL, part, (void *)2L);
	pthread_join(a, NULL);
	assert(atomic_load(&sum) == 3);
	pthread_join(b, NULL);
	return 0;
}
