/* A cleaner interrupts a worker that is not in its try block. */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int in_try_block, cached, rounds = 1;

static void *work(void *arg)
{
	in_try_block = 1;
	for (int i = 0; i < rounds; i++) {
		pthread_mutex_lock(&lock);
		cached++;
		pthread_mutex_unlock(&lock);
	}
	return arg;
}

static void *clean(void *arg)
{
	pthread_mutex_lock(&lock);
	cached = 0;
	pthread_mutex_unlock(&lock);
	assert(in_try_block);
	return arg;
}

int main(int argc, char **argv)
{
	pthread_t a, b;

	rounds = argc > 1 ? atoi(argv[1]) : 1;
	pthread_create(&a, NULL, work, NULL);
	pthread_create(&b, NULL, clean, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
