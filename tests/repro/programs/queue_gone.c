/*
 * The owner destroys and frees a lock that a worker holds: the C library refuses to destroy it
 * (EBUSY), nobody looks, and the worker crashes where it gives the lock back.
 */
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t *lock;
static int served;

static void *serve(void *arg)
{
	pthread_mutex_t *mine = lock;

	if (!mine)
		return arg;
	pthread_mutex_lock(mine);
	served++;
	pthread_mutex_unlock(lock);
	return arg;
}

int main(void)
{
	pthread_t worker;

	lock = malloc(sizeof(*lock));
	pthread_mutex_init(lock, NULL);
	pthread_create(&worker, NULL, serve, NULL);
	pthread_mutex_destroy(lock);
	lock = NULL;
	pthread_join(worker, NULL);
	return 0;
}
