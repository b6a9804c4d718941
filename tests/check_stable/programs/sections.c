/* ./sections THREADS TIMES: each thread takes one lock so often, in one section each time. */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

#include "heddle/stable.h"

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int sum, times;

static void *work(void *arg)
{
	for (int i = 0; i < times; i++) {
		pcs_enter();
		pthread_mutex_lock(&m);
		sum++;
		pthread_mutex_unlock(&m);
		pcs_exit();
	}
	return arg;
}

int main(int argc, char **argv)
{
	pthread_t t[8];
	int threads = atoi(argv[1]);

	times = atoi(argv[2]);
	for (int i = 0; i < threads; i++)
		pthread_create(&t[i], NULL, work, NULL);
	for (int i = 0; i < threads; i++)
		pthread_join(t[i], NULL);
	assert(sum == threads * times);
	return argc != 3;
}
