/*
 * A lock that lets no reader in while a writer waits is not modelled, and that is said.
 *
 * expect: 4
 * match: rwlock that prefers writers
 * cc: -D_GNU_SOURCE
 */
#include <pthread.h>
#include <stddef.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_WRITER_NONRECURSIVE_INITIALIZER_NP;

static void *reader(void *arg)
{
	pthread_rwlock_rdlock(&lock);
	pthread_rwlock_rdlock(&lock);
	pthread_rwlock_unlock(&lock);
	pthread_rwlock_unlock(&lock);
	return arg;
}

int main(void)
{
	pthread_t t;

	pthread_create(&t, NULL, reader, NULL);
	pthread_rwlock_wrlock(&lock);
	pthread_rwlock_unlock(&lock);
	pthread_join(t, NULL);
	return 0;
}
