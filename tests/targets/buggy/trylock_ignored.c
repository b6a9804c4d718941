/*
 * Bug: an increment is lost.
 * Cause: the result of trylock is ignored: the section runs without the lock.
 * expect: assert
 */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int counter;

static void *careful(void *arg)
{
	pthread_mutex_lock(&lock);
	counter++;
	pthread_mutex_unlock(&lock);
	return arg;
}

static void *hasty(void *arg)
{
	int got = pthread_mutex_trylock(&lock);

	counter++;
	if (got == 0)
		pthread_mutex_unlock(&lock);
	return arg;
}

int main(void)
{
	pthread_t a, b;

	pthread_create(&a, NULL, careful, NULL);
	pthread_create(&b, NULL, hasty, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	assert(counter == 2);
	return 0;
}
