/*
 * As many are waited for as were made in the loop, but not the same ones.
 *
 * analyze: race count 1
 */
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int count;

static void *work(void *arg)
{
	pthread_mutex_lock(&lock);
	count++;
	pthread_mutex_unlock(&lock);
	return arg;
}

int main(void)
{
	pthread_t t[4];

	pthread_create(&t[0], NULL, work, NULL);
	for (int i = 0; i < 3; i++)
		pthread_create(&t[i + 1], NULL, work, NULL);
	for (int i = 0; i < 3; i++)
		pthread_join(t[i], NULL);
	count++;
	return 0;
}
