/*
 * Error-checking mutexes: what they answer is the same in every order, and looked at.
 *
 * expect: 0
 */
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP;
static pthread_mutex_t deep = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
static int n, m;

static void *worker(void *arg)
{
	assert(pthread_mutex_unlock(&lock) == EPERM);
	assert(pthread_mutex_lock(&lock) == 0);
	assert(pthread_mutex_lock(&lock) == EDEADLK);
	assert(pthread_mutex_trylock(&lock) == EBUSY);
	n++;
	assert(pthread_mutex_unlock(&lock) == 0);
	assert(pthread_mutex_unlock(&lock) == EPERM);
	pthread_mutex_lock(&deep);
	pthread_mutex_lock(&deep);
	m++;
	pthread_mutex_unlock(&deep);
	assert(pthread_mutex_trylock(&deep) == 0);
	pthread_mutex_unlock(&deep);
	pthread_mutex_unlock(&deep);
	return NULL;
}

int main(void)
{
	pthread_t t[2];

	for (int i = 0; i < 2; i++)
		pthread_create(&t[i], NULL, worker, NULL);
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], NULL);
	return 0;
}
