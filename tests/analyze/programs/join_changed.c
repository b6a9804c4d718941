/*
 * The number changes between creating and waiting.
 *
 * analyze: race count 1
 */
#include <pthread.h>
#include <stdlib.h>

static int count, threads;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *work(void *arg)
{
	pthread_mutex_lock(&lock);
	count++;
	pthread_mutex_unlock(&lock);
	return arg;
}

int main(int argc, char **argv)
{
	pthread_t *t;

	threads = argc > 1 ? atoi(argv[1]) : 3;
	t = calloc((size_t)threads, sizeof(*t));
	for (int i = 0; i < threads; i++)
		pthread_create(&t[i], NULL, work, NULL);
	threads--;
	for (int i = 0; i < threads; i++)
		pthread_join(t[i], NULL);
	count++;
	return 0;
}
