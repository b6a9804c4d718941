/*
 * A cache behind a reader-writer lock, with the try forms too.
 * expect: clean
 */
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int key, value;

static void *writer(void *arg)
{
	int n = (int)(long)arg;

	pthread_rwlock_wrlock(&lock);
	key = n;
	value = n * n;
	assert(pthread_rwlock_tryrdlock(&lock) != 0);
	pthread_rwlock_unlock(&lock);
	return NULL;
}

static void *reader(void *arg)
{
	pthread_rwlock_rdlock(&lock);
	assert(value == key * key);
	assert(pthread_rwlock_trywrlock(&lock) == EBUSY);
	assert(value == key * key);
	pthread_rwlock_unlock(&lock);
	if (pthread_rwlock_tryrdlock(&lock) == 0) {
		assert(value == key * key);
		pthread_rwlock_unlock(&lock);
	}
	return arg;
}

int main(void)
{
	pthread_t w[2], r[2];

	for (long i = 0; i < 2; i++)
		pthread_create(&w[i], NULL, writer, (void *)(i + 2));
	for (int i = 0; i < 2; i++)
		pthread_create(&r[i], NULL, reader, NULL);
	for (int i = 0; i < 2; i++) {
		pthread_join(w[i], NULL);
		pthread_join(r[i], NULL);
	}
	return 0;
}
