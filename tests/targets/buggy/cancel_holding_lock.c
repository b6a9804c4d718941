/*
 * Bug: nobody can take the lock any more.
 * Cause: a thread is cancelled while it sleeps with the lock, and has no cleanup handler.
 * expect: deadlock
 */
#include <pthread.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int state;

static void *worker(void *arg)
{
	pthread_mutex_lock(&lock);
	state = 1;
	usleep(1000);
	state = 2;
	pthread_mutex_unlock(&lock);
	return arg;
}

int main(void)
{
	pthread_t t;

	pthread_create(&t, NULL, worker, NULL);
	pthread_cancel(t);
	pthread_join(t, NULL);
	pthread_mutex_lock(&lock);
	state = 3;
	pthread_mutex_unlock(&lock);
	return 0;
}
