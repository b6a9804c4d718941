/*
 * An assertion fails in a thread that nobody joins; it can before the process ends.
 *
 * expect: 1
 * match: assertion failed
 * drawn
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x;

static void *thread(void *arg)
{
	assert(atomic_load(&x) != 2);
	return arg;
}

int main(void)
{
	pthread_t t;

	pthread_create(&t, NULL, thread, NULL);
	atomic_store(&x, 1);
	atomic_store(&x, 2);
	return 0;
}
