/*
 * An error-checking mutex answers EDEADLK to its owner and EPERM to everybody else.
 * expect: clean
 */
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static pthread_mutex_t lock;
static int counter;

static void *worker(void *arg)
{
	assert(pthread_mutex_unlock(&lock) == EPERM);
	assert(pthread_mutex_lock(&lock) == 0);
	assert(pthread_mutex_lock(&lock) == EDEADLK);
	assert(pthread_mutex_trylock(&lock) == EBUSY);
	counter++;
	assert(pthread_mutex_unlock(&lock) == 0);
	return arg;
}

int main(void)
{
	pthread_t a, b;
	pthread_mutexattr_t attr;

	pthread_mutexattr_init(&attr);
	pthread_mutexattr_settype(&attr, PTHREAD_MUTEX_ERRORCHECK);
	pthread_mutex_init(&lock, &attr);
	pthread_create(&a, NULL, worker, NULL);
	pthread_create(&b, NULL, worker, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	assert(counter == 2);
	return 0;
}
