/*
 * A counter behind a pthread spin lock, with trylock.
 * expect: clean
 */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>

static pthread_spinlock_t lock;
static int counter;
static atomic_int missed;

static void *worker(void *arg)
{
	pthread_spin_lock(&lock);
	counter++;
	pthread_spin_unlock(&lock);
	int result = pthread_spin_trylock(&lock);
	if (result == 0) {
		counter++;
		pthread_spin_unlock(&lock);
	} else {
		assert(result == EBUSY);
		atomic_fetch_add(&missed, 1);
	}
	return arg;
}

int main(void)
{
	pthread_t a, b;

	pthread_spin_init(&lock, PTHREAD_PROCESS_PRIVATE);
	pthread_create(&a, NULL, worker, NULL);
	pthread_create(&b, NULL, worker, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	assert(counter + atomic_load(&missed) == 4);
	pthread_spin_destroy(&lock);
	return 0;
}
