/*
 * Bug: the second thread never gets the lock.
 * Cause: a recursive mutex is locked twice and unlocked once when the list turns out to be empty.
 * expect: deadlock
 */
#include <pthread.h>

static pthread_mutex_t lock;
static int length = 1;

static int pop(void)
{
	pthread_mutex_lock(&lock);
	if (length == 0)
		return 0; /* still locked */
	length--;
	pthread_mutex_unlock(&lock);
	return 1;
}

static void *worker(void *arg)
{
	pthread_mutex_lock(&lock);
	int empty = length == 0;
	pthread_mutex_unlock(&lock);
	if (!empty) {
		pthread_mutex_lock(&lock);
		pop();
		pthread_mutex_unlock(&lock);
	}
	return arg;
}

int main(void)
{
	pthread_t a, b;
	pthread_mutexattr_t attr;

	pthread_mutexattr_init(&attr);
	pthread_mutexattr_settype(&attr, PTHREAD_MUTEX_RECURSIVE);
	pthread_mutex_init(&lock, &attr);
	pthread_create(&a, NULL, worker, NULL);
	pthread_create(&b, NULL, worker, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	pthread_mutex_lock(&lock);
	pthread_mutex_unlock(&lock);
	return 0;
}
