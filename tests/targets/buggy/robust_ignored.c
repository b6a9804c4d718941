/*
 * Bug: the two halves of a pair differ.
 * Cause: EOWNERDEAD is treated like success, although the dead owner was in the middle of an update.
 * expect: assert
 */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t lock;
static int left, right;
static atomic_int quit;

static void *updater(void *arg)
{
	pthread_mutex_lock(&lock);
	left++;
	if (atomic_load(&quit))
		pthread_exit(NULL);
	right++;
	pthread_mutex_unlock(&lock);
	return arg;
}

int main(void)
{
	pthread_t t;
	pthread_mutexattr_t attr;

	pthread_mutexattr_init(&attr);
	pthread_mutexattr_setrobust(&attr, PTHREAD_MUTEX_ROBUST);
	pthread_mutex_init(&lock, &attr);
	pthread_create(&t, NULL, updater, NULL);
	atomic_store(&quit, 1);
	pthread_join(t, NULL);
	if (pthread_mutex_lock(&lock) == EOWNERDEAD)
		pthread_mutex_consistent(&lock);
	assert(left == right);
	pthread_mutex_unlock(&lock);
	return 0;
}
