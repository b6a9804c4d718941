/*
 * A spin lock that nobody initialised: zero is no free spin lock.
 *
 * expect: 1
 * match: spin lock that was never initialised
 */
#include <pthread.h>

static pthread_spinlock_t lock;

static void *worker(void *arg)
{
	pthread_spin_lock(&lock);
	pthread_spin_unlock(&lock);
	return NULL;
}

int main(void)
{
	pthread_t t;

	pthread_create(&t, NULL, worker, NULL);
	pthread_spin_init(&lock, 0);
	pthread_join(t, NULL);
	return 0;
}
