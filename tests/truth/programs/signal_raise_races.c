/*
 * The same without the lock: what handlers do is seen, and other threads go in between.
 *
 * expect: 1
 * match: assertion failed
 * drawn
 */
#include <assert.h>
#include <pthread.h>
#include <signal.h>

static int count;

static void add(int number)
{
	count++;
}

static void *thread(void *arg)
{
	raise(SIGUSR1);
	return arg;
}

int main(void)
{
	pthread_t t, u;

	signal(SIGUSR1, add);
	pthread_create(&t, NULL, thread, NULL);
	pthread_create(&u, NULL, thread, NULL);
	pthread_join(t, NULL);
	pthread_join(u, NULL);
	assert(count == 2);
	return 0;
}
