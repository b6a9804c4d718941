/*
 * A mutex on the stack of a thread that has ended.
 *
 * expect: 4
 * match: (a failure that follows from what the threads did|frame)
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static _Atomic(pthread_mutex_t *) shared;
static pthread_mutex_t counting = PTHREAD_MUTEX_INITIALIZER;
static int count;

static void counts(void)
{
	pthread_mutex_lock(&counting);
	count++;
	pthread_mutex_unlock(&counting);
}

static void *lends(void *arg)
{
	pthread_mutex_t lock;

	pthread_mutex_init(&lock, NULL);
	shared = &lock;
	counts();
	return arg;
}

static void *borrows(void *arg)
{
	pthread_mutex_t *lock = shared;

	if (lock) {
		counts();
		pthread_mutex_lock(lock);
	}
	return arg;
}

int main(void)
{
	pthread_t a, b;

	pthread_create(&a, NULL, lends, NULL);
	pthread_create(&b, NULL, borrows, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
