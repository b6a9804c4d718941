/* The queue of pfscan: tested in one critical section, taken from in another. */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int filled, rounds = 1;

static void put(void)
{
	pthread_mutex_lock(&lock);
	filled++;
	pthread_mutex_unlock(&lock);
}

static void get(void)
{
	pthread_mutex_lock(&lock);
	if (filled > 0) {
		pthread_mutex_unlock(&lock);
	} else {
		pthread_mutex_unlock(&lock);
		return;
	}
	pthread_mutex_lock(&lock);
	assert(filled > 0);
	filled--;
	pthread_mutex_unlock(&lock);
}

static void *scan(void *arg)
{
	for (int i = 0; i < rounds; i++)
		get();
	return arg;
}

int main(int argc, char **argv)
{
	pthread_t a, b;

	rounds = argc > 1 ? atoi(argv[1]) : 1;
	put();
	pthread_create(&a, NULL, scan, NULL);
	pthread_create(&b, NULL, scan, NULL);
	for (int i = 1; i < rounds; i++)
		put();
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
