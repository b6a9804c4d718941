/*
 * Two locks in opposite orders, the second one by trylock with retreat: no deadlock.
 * expect: clean
 */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static int shared;
static atomic_int given_up;

static void both(pthread_mutex_t *first, pthread_mutex_t *second)
{
	pthread_mutex_lock(first);
	int result = pthread_mutex_trylock(second);
	if (result == 0) {
		shared++;
		pthread_mutex_unlock(second);
	} else {
		assert(result == EBUSY);
		atomic_fetch_add(&given_up, 1);
	}
	pthread_mutex_unlock(first);
}

static void *forth(void *arg)
{
	both(&a, &b);
	return arg;
}

static void *back(void *arg)
{
	both(&b, &a);
	return arg;
}

int main(void)
{
	pthread_t t, u;

	pthread_create(&t, NULL, forth, NULL);
	pthread_create(&u, NULL, back, NULL);
	pthread_join(t, NULL);
	pthread_join(u, NULL);
	assert(shared + atomic_load(&given_up) == 2);
	return 0;
}
