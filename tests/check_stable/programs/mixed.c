/* One lock is used in sections and outside of them, against the rules. */
#include <pthread.h>

#include "heddle/stable.h"

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *work(void *arg)
{
	pcs_enter();
	pthread_mutex_lock(&m);
	pthread_mutex_unlock(&m);
	pcs_exit();
	return arg;
}

int main(void)
{
	pthread_t t;

	pthread_create(&t, NULL, work, NULL);
	pthread_mutex_lock(&m);
	pthread_mutex_unlock(&m);
	pthread_join(t, NULL);
	return 0;
}
