/*
 * Bug: a worker never learns that the queue is closed.
 * Cause: close() sets the flag without the lock, between the worker's test and its wait.
 * expect: deadlock
 */
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t more = PTHREAD_COND_INITIALIZER;
static int jobs = 1, handled;
static atomic_int closed;

static void *worker(void *arg)
{
	pthread_mutex_lock(&lock);
	for (;;) {
		while (jobs == 0 && !atomic_load(&closed))
			pthread_cond_wait(&more, &lock);
		if (jobs == 0)
			break;
		jobs--;
		handled++;
	}
	pthread_mutex_unlock(&lock);
	return arg;
}

static void queue_close(void)
{
	atomic_store(&closed, 1);
	pthread_cond_broadcast(&more);
}

int main(void)
{
	pthread_t t;

	pthread_create(&t, NULL, worker, NULL);
	queue_close();
	pthread_join(t, NULL);
	return 0;
}
