/*
 * Bug: the result is read before it is there.
 * Cause: sleeping a second is not waiting for the worker.
 * expect: assert
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

static atomic_int result;

static void *worker(void *arg)
{
	atomic_store(&result, 1);
	return arg;
}

int main(void)
{
	pthread_t t;

	pthread_create(&t, NULL, worker, NULL);
	sleep(1);
	assert(atomic_load(&result) == 1);
	pthread_join(t, NULL);
	return 0;
}
