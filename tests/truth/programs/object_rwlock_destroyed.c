/*
 * A reader may come after the lock was destroyed.
 *
 * expect: 1
 * match: rwlock (after pthread_rwlock_destroy|that is locked)
 */
#include <pthread.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;

static void *worker(void *arg)
{
	pthread_rwlock_rdlock(&lock);
	pthread_rwlock_unlock(&lock);
	return NULL;
}

int main(void)
{
	pthread_t t;

	pthread_create(&t, NULL, worker, NULL);
	pthread_rwlock_destroy(&lock);
	pthread_join(t, NULL);
	return 0;
}
