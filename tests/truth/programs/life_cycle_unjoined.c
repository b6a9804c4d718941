/*
 * Two threads that nobody joins lock each other out: that is a deadlock, although the process ends.
 *
 * expect: 1
 * match: deadlock
 * drawn
 */
#include <pthread.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;

static void *one(void *arg)
{
	pthread_mutex_lock(&a);
	pthread_mutex_lock(&b);
	pthread_mutex_unlock(&b);
	pthread_mutex_unlock(&a);
	return arg;
}

static void *other(void *arg)
{
	pthread_mutex_lock(&b);
	pthread_mutex_lock(&a);
	pthread_mutex_unlock(&a);
	pthread_mutex_unlock(&b);
	return arg;
}

int main(void)
{
	pthread_t t, u;

	pthread_create(&t, NULL, one, NULL);
	pthread_create(&u, NULL, other, NULL);
	return 0;
}
