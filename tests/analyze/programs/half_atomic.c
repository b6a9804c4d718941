/*
 * One side is atomic, the other is not.
 *
 * analyze: race count 1
 */
#include <pthread.h>
#include <stdlib.h>

static int count;

static void *work(void *arg)
{
	__atomic_fetch_add(&count, 1, __ATOMIC_SEQ_CST);
	return arg;
}

int main(void)
{
	pthread_t t[2];

	for (int i = 0; i < 2; i++)
		pthread_create(&t[i], NULL, work, NULL);
	if (count > 2)
		abort();
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], NULL);
	return 0;
}
