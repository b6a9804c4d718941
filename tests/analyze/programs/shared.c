/*
 * Readers beside each other, one writer.
 *
 * analyze: none
 */
#include <pthread.h>
#include <stdlib.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int count;

static void *work(void *arg)
{
	pthread_rwlock_rdlock(&lock);
	if (count > 100)
		abort();
	pthread_rwlock_unlock(&lock);
	pthread_rwlock_wrlock(&lock);
	count++;
	pthread_rwlock_unlock(&lock);
	return arg;
}

int main(void)
{
	pthread_t t[2];

	for (int i = 0; i < 2; i++)
		pthread_create(&t[i], NULL, work, NULL);
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], NULL);
	return 0;
}
