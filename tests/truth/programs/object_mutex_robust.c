/*
 * A robust mutex whose owner has ended is not modelled, and that is said.
 *
 * expect: 4
 * match: robust mutexes
 */
#include <errno.h>
#include <pthread.h>

static pthread_mutex_t lock;

static void *worker(void *arg)
{
	pthread_mutex_lock(&lock);
	return NULL;
}

int main(void)
{
	pthread_mutexattr_t attr;
	pthread_t t;

	pthread_mutexattr_init(&attr);
	pthread_mutexattr_setrobust(&attr, PTHREAD_MUTEX_ROBUST);
	pthread_mutex_init(&lock, &attr);
	pthread_create(&t, NULL, worker, NULL);
	pthread_join(t, NULL);
	if (pthread_mutex_lock(&lock) == EOWNERDEAD)
		pthread_mutex_consistent(&lock);
	pthread_mutex_unlock(&lock);
	return 0;
}
