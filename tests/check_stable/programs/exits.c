/* Main leaves while a thread is in a section, which fails when it gets that far before. */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

#include "heddle/stable.h"

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;

static void *work(void *arg)
{
	pcs_enter();
	pthread_mutex_lock(&a);
	pthread_mutex_unlock(&a);
	pthread_mutex_lock(&b);
	abort();
	return arg;
}

int main(void)
{
	pthread_t t;

	pthread_create(&t, NULL, work, NULL);
	exit(0);
}
