/*
 * A section of one lock, after which a waiter of a condition is signalled: the waiter is no reason
 * to wait before the lock is decided, and runs afterwards.
 */
#include <assert.h>
#include <pthread.h>

#include "heddle/stable.h"

static pthread_mutex_t x = PTHREAD_MUTEX_INITIALIZER, m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int inside, done;

static void *t_main(void *arg)
{
	pcs_enter();
	pthread_mutex_lock(&x);
	inside = 1;
	pthread_mutex_unlock(&x);
	pcs_exit();
	pthread_mutex_lock(&m);
	done = 1;
	pthread_cond_signal(&c);
	pthread_mutex_unlock(&m);
	return arg;
}

static void *u_main(void *arg)
{
	pthread_mutex_lock(&m);
	while (!done)
		pthread_cond_wait(&c, &m);
	assert(inside);
	pthread_mutex_unlock(&m);
	return arg;
}

int main(void)
{
	pthread_t t, u;

	pthread_create(&u, NULL, u_main, NULL);
	pthread_create(&t, NULL, t_main, NULL);
	pthread_join(t, NULL);
	pthread_join(u, NULL);
	assert(done);
	return 0;
}
