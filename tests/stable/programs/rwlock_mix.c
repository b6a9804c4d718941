/* det: readers and writers on one lock; errors of the try and timed forms. */
#include <errno.h>
#include <pthread.h>
#include <time.h>

#include "check.h"

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int value, readers;

static void *reader(void *unused)
{
	(void)unused;
	for (int i = 0; i < 50; i++) {
		EXPECT(pthread_rwlock_rdlock(&lock) == 0);
		int seen = value;
		EXPECT(seen % 2 == 0);
		__atomic_add_fetch(&readers, 1, __ATOMIC_RELAXED);
		pthread_rwlock_unlock(&lock);
	}
	return NULL;
}

static void *writer(void *unused)
{
	(void)unused;
	for (int i = 0; i < 50; i++) {
		EXPECT(pthread_rwlock_wrlock(&lock) == 0);
		value++;
		value++;
		pthread_rwlock_unlock(&lock);
	}
	return NULL;
}

int main(void)
{
	pthread_t t[4];
	struct timespec limit;
	for (int i = 0; i < 4; i++)
		pthread_create(&t[i], NULL, i % 2 ? writer : reader, NULL);
	for (int i = 0; i < 4; i++)
		pthread_join(t[i], NULL);
	EXPECT(value == 200 && readers == 100);
	EXPECT(pthread_rwlock_wrlock(&lock) == 0);
	EXPECT(pthread_rwlock_tryrdlock(&lock) == EBUSY);
	EXPECT(pthread_rwlock_trywrlock(&lock) == EBUSY);
	EXPECT(pthread_rwlock_wrlock(&lock) == EDEADLK);
	EXPECT(pthread_rwlock_rdlock(&lock) == EDEADLK);
	pthread_rwlock_unlock(&lock);
	EXPECT(pthread_rwlock_rdlock(&lock) == 0);
	clock_gettime(CLOCK_REALTIME, &limit);
	EXPECT(pthread_rwlock_timedrdlock(&lock, &limit) == 0);
	EXPECT(pthread_rwlock_timedwrlock(&lock, &limit) == ETIMEDOUT);
	return 0;
}
