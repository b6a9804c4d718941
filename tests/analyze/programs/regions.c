/*
 * Two locks for one variable: apart only when the sections come one after the other.
 *
 * analyze: race result 1
 */
#include <pthread.h>

static int result;
static pthread_mutex_t mine = PTHREAD_MUTEX_INITIALIZER, yours = PTHREAD_MUTEX_INITIALIZER;

static void *work(void *arg)
{
	pthread_mutex_lock(&yours);
	result++;
	pthread_mutex_unlock(&yours);
	return arg;
}

int main(void)
{
	pthread_t t;

	pthread_create(&t, NULL, work, NULL);
	pthread_mutex_lock(&mine);
	result++;
	pthread_mutex_unlock(&mine);
	pthread_join(t, NULL);
	return 0;
}
