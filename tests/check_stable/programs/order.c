/* Fails only when the second thread's section comes first. */
#include <assert.h>
#include <pthread.h>

#include "heddle/stable.h"

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int ready, seen = -1;

static void *first(void *arg)
{
	pcs_enter();
	pthread_mutex_lock(&m);
	ready = 1;
	pthread_mutex_unlock(&m);
	pcs_exit();
	return arg;
}

static void *second(void *arg)
{
	pcs_enter();
	pthread_mutex_lock(&m);
	seen = ready;
	pthread_mutex_unlock(&m);
	pcs_exit();
	return arg;
}

int main(void)
{
	pthread_t t[2];

	pthread_create(&t[0], NULL, first, NULL);
	pthread_create(&t[1], NULL, second, NULL);
	pthread_join(t[0], NULL);
	pthread_join(t[1], NULL);
	assert(seen == 1);
	return 0;
}
