/*
 * The reference program for executions per second: three threads, about 26 scheduling points.
 * Each of the two workers enters a critical section twice; main creates, joins and looks.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int counter;
static atomic_int visits;

static void *worker(void *arg)
{
	for (int i = 0; i < 2; i++) {
		pthread_mutex_lock(&lock);
		counter++;
		pthread_mutex_unlock(&lock);
	}
	atomic_fetch_add(&visits, 1);
	return arg;
}

int main(void)
{
	pthread_t a, b;

	pthread_create(&a, NULL, worker, NULL);
	pthread_create(&b, NULL, worker, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	if (counter != 4 || atomic_load(&visits) != 2)
		abort();
	return 0;
}
