/* A result that main prints without waiting for its worker: argv is threads, size, whether to add.
 */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static int size, nthread;
static unsigned long result;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *worker(void *arg)
{
	int *data = malloc((size_t)(size / nthread) * sizeof(*data));

	for (int i = 0; i < size / nthread; i++)
		data[i] = i;
	pthread_mutex_lock(&lock);
	result += (unsigned long)data[0] + 5;
	pthread_mutex_unlock(&lock);
	return arg;
}

int main(int argc, char **argv)
{
	pthread_t t;

	if (argc != 4)
		return 2;
	nthread = atoi(argv[1]);
	size = atoi(argv[2]);
	assert(nthread > 0 && size >= nthread);
	for (int i = 1; i < nthread; i++)
		pthread_create(&t, NULL, worker, NULL);
	worker(NULL);
	if (atoi(argv[3]) == 1)
		result += 100;
	printf("%lu\n", result);
	return 0;
}
