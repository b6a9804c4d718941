/* Threads count without a lock: argv is threads. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static volatile int count;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *worker(void *arg)
{
	for (int i = 0; i < 20; i++)
		count = count * 3 + (int)(long)arg;
	pthread_mutex_lock(&lock);
	pthread_mutex_unlock(&lock);
	return NULL;
}

int main(int argc, char **argv)
{
	pthread_t t[16];
	int n = argc > 1 ? atoi(argv[1]) : 0;

	if (n < 1 || n > 16)
		return 2;
	for (long i = 0; i < n; i++)
		pthread_create(&t[i], NULL, worker, (void *)(i + 1));
	for (int i = 0; i < n; i++)
		pthread_join(t[i], NULL);
	printf("%d\n", count);
	return 0;
}
