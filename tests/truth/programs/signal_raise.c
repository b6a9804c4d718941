/*
 * Handlers of signals that threads send to themselves run at once, under the lock.
 *
 * expect: 0
 * drawn
 */
#include <assert.h>
#include <pthread.h>
#include <signal.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int count;

static void add(int number)
{
	count++;
}

static void *thread(void *arg)
{
	pthread_mutex_lock(&mutex);
	raise(SIGUSR1);
	pthread_mutex_unlock(&mutex);
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
