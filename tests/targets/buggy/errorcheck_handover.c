/*
 * Bug: unlocking fails with EPERM.
 * Cause: the lock is handed over: another thread unlocks it, if it gets there before the owner.
 * expect: assert
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t lock;
static atomic_int busy;

static void finish(void)
{
	if (atomic_exchange(&busy, 0))
		assert(pthread_mutex_unlock(&lock) == 0);
}

static void *owner(void *arg)
{
	pthread_mutex_lock(&lock);
	atomic_store(&busy, 1);
	finish();
	return arg;
}

static void *watchdog(void *arg)
{
	finish();
	return arg;
}

int main(void)
{
	pthread_t a, b;
	pthread_mutexattr_t attr;

	pthread_mutexattr_init(&attr);
	pthread_mutexattr_settype(&attr, PTHREAD_MUTEX_ERRORCHECK);
	pthread_mutex_init(&lock, &attr);
	pthread_create(&a, NULL, owner, NULL);
	pthread_create(&b, NULL, watchdog, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
