/* Correct; more behaviours than anybody can count. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int count;
static atomic_int other;

static void *work(void *arg)
{
	int x;

	pthread_mutex_lock(&lock);
	count++;
	pthread_mutex_unlock(&lock);
	x = atomic_load(&other);
	atomic_store(&other, x + 1);
	return NULL;
}

int main(void)
{
	pthread_t t[THREADS];

	for (int i = 0; i < THREADS; i++)
		pthread_create(&t[i], NULL, work, NULL);
	for (int i = 0; i < THREADS; i++)
		pthread_join(t[i], NULL);
	assert(count == THREADS);
	return 0;
}
