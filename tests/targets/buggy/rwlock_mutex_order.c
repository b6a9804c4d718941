/*
 * Bug: a reader and a writer wait for each other.
 * Cause: the reader takes the mutex while it reads, the writer takes the lock while it has the mutex.
 * expect: deadlock
 */
#include <pthread.h>

static pthread_rwlock_t table = PTHREAD_RWLOCK_INITIALIZER;
static pthread_mutex_t stats = PTHREAD_MUTEX_INITIALIZER;
static int entries, lookups;

static void *reader(void *arg)
{
	pthread_rwlock_rdlock(&table);
	if (entries == 0) {
		pthread_mutex_lock(&stats);
		lookups++;
		pthread_mutex_unlock(&stats);
	}
	pthread_rwlock_unlock(&table);
	return arg;
}

static void *writer(void *arg)
{
	pthread_mutex_lock(&stats);
	pthread_rwlock_wrlock(&table);
	entries++;
	lookups = 0;
	pthread_rwlock_unlock(&table);
	pthread_mutex_unlock(&stats);
	return arg;
}

int main(void)
{
	pthread_t r, w;

	pthread_create(&r, NULL, reader, NULL);
	pthread_create(&w, NULL, writer, NULL);
	pthread_join(r, NULL);
	pthread_join(w, NULL);
	return 0;
}
