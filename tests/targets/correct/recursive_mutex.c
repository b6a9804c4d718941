/*
 * A recursive mutex, locked again by the function its owner calls.
 * expect: clean
 */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock;
static int depth, total;

static void add(int n)
{
	assert(pthread_mutex_lock(&lock) == 0);
	depth++;
	total++;
	if (n > 1)
		add(n - 1);
	depth--;
	assert(pthread_mutex_unlock(&lock) == 0);
}

static void *worker(void *arg)
{
	pthread_mutex_lock(&lock);
	assert(depth == 0);
	add(2);
	assert(pthread_mutex_trylock(&lock) == 0);
	pthread_mutex_unlock(&lock);
	pthread_mutex_unlock(&lock);
	return arg;
}

int main(void)
{
	pthread_t a, b;
	pthread_mutexattr_t attr;

	pthread_mutexattr_init(&attr);
	pthread_mutexattr_settype(&attr, PTHREAD_MUTEX_RECURSIVE);
	pthread_mutex_init(&lock, &attr);
	pthread_mutexattr_destroy(&attr);
	pthread_create(&a, NULL, worker, NULL);
	pthread_create(&b, NULL, worker, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	assert(total == 4 && depth == 0);
	assert(pthread_mutex_destroy(&lock) == 0);
	return 0;
}
