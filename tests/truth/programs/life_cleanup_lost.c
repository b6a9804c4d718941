/*
 * The handler is taken off before the thread ends with the lock: when it comes first, the other one
 * waits for ever.
 *
 * expect: 1
 * match: deadlock
 * drawn
 */
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int ready;

static void leave(void *mutex)
{
	pthread_mutex_unlock(mutex);
}

static void *thread(void *arg)
{
	int seen;

	pthread_mutex_lock(&lock);
	pthread_cleanup_push(leave, &lock);
	seen = ready;
	pthread_cleanup_pop(0);
	if (!seen)
		pthread_exit(arg);
	pthread_mutex_unlock(&lock);
	return arg;
}

int main(void)
{
	pthread_t t;

	pthread_create(&t, NULL, thread, NULL);
	pthread_mutex_lock(&lock);
	ready = 1;
	pthread_mutex_unlock(&lock);
	pthread_join(t, NULL);
	return 0;
}
