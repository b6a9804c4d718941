/*
 * Bug: a hit is not counted.
 * Cause: the counter is changed under the read lock, which several threads hold at once.
 * expect: assert
 */
#include <assert.h>
#include <pthread.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int hits;

static void *lookup(void *arg)
{
	pthread_rwlock_rdlock(&lock);
	hits++;
	pthread_rwlock_unlock(&lock);
	return arg;
}

int main(void)
{
	pthread_t a, b;

	pthread_create(&a, NULL, lookup, NULL);
	pthread_create(&b, NULL, lookup, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	pthread_rwlock_wrlock(&lock);
	assert(hits == 2);
	pthread_rwlock_unlock(&lock);
	return 0;
}
