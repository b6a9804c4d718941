/*
 * Bug: a reader runs together with the writer.
 * Cause: a home-made reader-writer lock whose reader counts itself after leaving the mutex.
 * expect: assert
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static atomic_int readers, writing;

static void *reader(void *arg)
{
	pthread_mutex_lock(&lock);
	pthread_mutex_unlock(&lock);
	atomic_fetch_add(&readers, 1);
	assert(!atomic_load(&writing));
	atomic_fetch_sub(&readers, 1);
	return arg;
}

static void *writer(void *arg)
{
	pthread_mutex_lock(&lock);
	if (atomic_load(&readers) == 0) {
		atomic_store(&writing, 1);
		atomic_store(&writing, 0);
	}
	pthread_mutex_unlock(&lock);
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
