/*
 * What is in the sections commutes; but who returns first takes the number, and a search of the
 * sections alone would never see the second thread with it.
 */
#include <assert.h>
#include <pthread.h>

#include "heddle/stable.h"

static pthread_mutex_t own[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int next, number[2];

static void *work(void *arg)
{
	long me = (long)arg;

	pcs_enter();
	pthread_mutex_lock(&own[me]);
	pthread_mutex_unlock(&own[me]);
	pcs_exit();
	pthread_mutex_lock(&m);
	number[me] = next++;
	pthread_mutex_unlock(&m);
	return NULL;
}

int main(void)
{
	pthread_t t[2];

	for (long i = 0; i < 2; i++)
		pthread_create(&t[i], NULL, work, (void *)i);
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], NULL);
	assert(number[0] == 0);
	return 0;
}
