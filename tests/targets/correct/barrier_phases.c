/*
 * Two phases separated by a barrier; exactly one thread per phase is told to be the serial one.
 * expect: clean
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#define WORKERS 3

static pthread_barrier_t barrier;
static int parts[WORKERS];
static atomic_int serial;

static void *worker(void *arg)
{
	int me = (int)(long)arg, sum = 0;

	parts[me] = me + 1;
	if (pthread_barrier_wait(&barrier) == PTHREAD_BARRIER_SERIAL_THREAD)
		atomic_fetch_add(&serial, 1);
	for (int i = 0; i < WORKERS; i++)
		sum += parts[i];
	assert(sum == 6);
	pthread_barrier_wait(&barrier);
	parts[me] = 0;
	return NULL;
}

int main(void)
{
	pthread_t t[WORKERS];

	pthread_barrier_init(&barrier, NULL, WORKERS);
	for (long i = 0; i < WORKERS; i++)
		pthread_create(&t[i], NULL, worker, (void *)i);
	for (int i = 0; i < WORKERS; i++)
		pthread_join(t[i], NULL);
	assert(atomic_load(&serial) == 1);
	pthread_barrier_destroy(&barrier);
	return 0;
}
