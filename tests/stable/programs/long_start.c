/* Threads that compute for long before their first operation: no call of theirs names the place. */
#include <pthread.h>

#include "check.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static unsigned long sum;

static void *works(void *unused)
{
	(void)unused;
	unsigned long x = 1;
	for (int i = 0; i < 20000000; i++)
		x = x * 6364136223846793005 + 1442695040888963407;
	pthread_mutex_lock(&mutex);
	sum += x;
	pthread_mutex_unlock(&mutex);
	return NULL;
}

int main(void)
{
	pthread_t threads[3];
	for (int i = 0; i < 3; i++)
		pthread_create(&threads[i], NULL, works, NULL);
	for (int i = 0; i < 3; i++)
		pthread_join(threads[i], NULL);
	printf("%lx\n", sum);
	return 0;
}
