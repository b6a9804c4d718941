/*
 * One thread ends with the lock in its hands; the other then waits for ever, which nothing it reads
 * tells from getting the lock first.  Nobody joins them, so it is said and no failure.
 *
 * expect: 0
 * match: in 1 of them threads still wait when the process ends
 */
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *gives_back(void *arg)
{
	pthread_mutex_lock(&mutex);
	pthread_mutex_unlock(&mutex);
	return arg;
}

static void *keeps(void *arg)
{
	pthread_mutex_lock(&mutex);
	return arg;
}

int main(void)
{
	pthread_t thread;

	pthread_create(&thread, 0, gives_back, 0);
	pthread_create(&thread, 0, keeps, 0);
	return 0;
}
