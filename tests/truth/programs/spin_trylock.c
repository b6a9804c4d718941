/*
 * Who cannot have both locks gives the first one back and tries again.
 *
 * expect: 0
 * drawn
 */
#include <assert.h>
#include <pthread.h>
#include <sched.h>

static pthread_mutex_t first = PTHREAD_MUTEX_INITIALIZER, second = PTHREAD_MUTEX_INITIALIZER;
static int count;

static void *forwards(void *arg)
{
	pthread_mutex_lock(&first);
	pthread_mutex_lock(&second);
	count++;
	pthread_mutex_unlock(&second);
	pthread_mutex_unlock(&first);
	return arg;
}

static void *backwards(void *arg)
{
	for (;;) {
		pthread_mutex_lock(&second);
		if (pthread_mutex_trylock(&first) == 0)
			break;
#ifndef KEEPS
		pthread_mutex_unlock(&second);
#else
		pthread_mutex_lock(&first);
		break;
#endif
		sched_yield();
	}
	count++;
	pthread_mutex_unlock(&first);
	pthread_mutex_unlock(&second);
	return arg;
}

int main(void)
{
	pthread_t t, u;

	pthread_create(&t, NULL, forwards, NULL);
	pthread_create(&u, NULL, backwards, NULL);
	pthread_join(t, NULL);
	pthread_join(u, NULL);
	assert(count == 2);
	return 0;
}
