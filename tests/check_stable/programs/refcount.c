/*
 * A count is lowered and looked at in two sections of its lock: both threads may find it 0 and free
 * the object.
 */
#include <assert.h>
#include <pthread.h>

#include "heddle/stable.h"

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int count = 2, freed;

static void *put(void *arg)
{
	int now;

	pcs_enter();
	pthread_mutex_lock(&m);
	count--;
	pthread_mutex_unlock(&m);
	pthread_mutex_lock(&m);
	now = count;
	pthread_mutex_unlock(&m);
	pcs_exit();
	if (now == 0)
		__atomic_fetch_add(&freed, 1, __ATOMIC_RELAXED);
	return arg;
}

int main(void)
{
	pthread_t t[2];

	for (int i = 0; i < 2; i++)
		pthread_create(&t[i], NULL, put, NULL);
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], NULL);
	assert(freed == 1);
	return 0;
}
