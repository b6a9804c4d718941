/*
 * The lock is held on one of two ways only, whichever comes first.
 *
 * analyze: race count 1
 * analyze: race other 1
 */
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int count, other, rounds;

static void *work(void *arg)
{
	if (arg)
		pthread_mutex_lock(&lock);
	else
		__atomic_add_fetch(&rounds, 1, __ATOMIC_SEQ_CST);
	count++;
	if (arg)
		pthread_mutex_unlock(&lock);
	if (arg)
		__atomic_add_fetch(&rounds, 1, __ATOMIC_SEQ_CST);
	else
		pthread_mutex_lock(&lock);
	other++;
	if (!arg)
		pthread_mutex_unlock(&lock);
	return arg;
}

int main(void)
{
	pthread_t t[2];

	for (int i = 0; i < 2; i++)
		pthread_create(&t[i], NULL, work, i ? &rounds : NULL);
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], NULL);
	return 0;
}
