/*
 * Main adds to the result of workers it does not wait for; each worker has a block of its own.
 *
 * analyze: race result 2
 */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static int size, threads;
static unsigned long result;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *worker(void *arg)
{
	char *data = malloc((size_t)(size / threads));

	if (read(0, data, (size_t)(size / threads)) < 0)
		return arg;
	for (int i = 0; i < size / threads; i++)
		data[i] = (char)(data[i] + 1);
	pthread_mutex_lock(&lock);
	result += (unsigned long)data[0];
	pthread_mutex_unlock(&lock);
	return NULL;
}

int main(int argc, char **argv)
{
	threads = argc > 1 ? atoi(argv[1]) : 2;
	size = argc > 2 ? atoi(argv[2]) : 2;
	assert(threads > 0 && size >= threads);
	for (int i = 1; i < threads; i++) {
		pthread_t t;

		pthread_create(&t, NULL, worker, NULL);
	}
	worker(NULL);
	if (argc > 3 && atoi(argv[3]) == 1)
		result += 3;
	printf("%lu\n", result);
	return 0;
}
