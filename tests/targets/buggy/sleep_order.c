/*
 * Bug: the steps come in the wrong order.
 * Cause: the order rests on one sleep being longer than the other.
 * expect: assert
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <time.h>

static atomic_int prepared;

static void *prepare(void *arg)
{
	struct timespec pause = {0, 1000000};

	nanosleep(&pause, NULL);
	atomic_store(&prepared, 1);
	return arg;
}

static void *use(void *arg)
{
	struct timespec pause = {0, 50000000};

	nanosleep(&pause, NULL);
	assert(atomic_load(&prepared));
	return arg;
}

int main(void)
{
	pthread_t a, b;

	pthread_create(&a, NULL, prepare, NULL);
	pthread_create(&b, NULL, use, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
