/*
 * Barriers used as they should be: two rounds, destroyed when all have left, made anew.
 *
 * expect: 0
 */
#include <assert.h>
#include <pthread.h>

static pthread_barrier_t meet;
static int a, b;

static void *worker(void *arg)
{
	a = 1;
	pthread_barrier_wait(&meet);
	assert(b == 1);
	pthread_barrier_wait(&meet);
	return NULL;
}

int main(void)
{
	for (int i = 0; i < 2; i++) {
		pthread_t t;

		a = b = 0;
		pthread_barrier_init(&meet, NULL, 2);
		pthread_create(&t, NULL, worker, NULL);
		b = 1;
		pthread_barrier_wait(&meet);
		assert(a == 1);
		pthread_barrier_wait(&meet);
		pthread_barrier_destroy(&meet);
		pthread_join(t, NULL);
	}
	return 0;
}
