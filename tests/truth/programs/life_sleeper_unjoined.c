/*
 * A thread that nobody joins sleeps before it looks: the process may still be there.
 *
 * expect: 1
 * match: assertion failed
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

static atomic_int x;

static void *thread(void *arg)
{
	sleep(1);
	assert(atomic_load(&x) != 1);
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
