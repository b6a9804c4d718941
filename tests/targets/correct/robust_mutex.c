/*
 * A robust mutex whose owner ends: the next one learns it, repairs the data and goes on.
 * expect: clean
 */
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static pthread_mutex_t lock;
static int left, right;

static void repair(void)
{
	right = left;
	assert(pthread_mutex_consistent(&lock) == 0);
}

static void *dies(void *arg)
{
	if (pthread_mutex_lock(&lock) == EOWNERDEAD)
		repair();
	left++;
	return arg; /* holding the lock */
}

static void *lives(void *arg)
{
	if (pthread_mutex_lock(&lock) == EOWNERDEAD)
		repair();
	assert(left == right);
	left++;
	right++;
	assert(pthread_mutex_unlock(&lock) == 0);
	return arg;
}

int main(void)
{
	pthread_t a, b;
	pthread_mutexattr_t attr;

	pthread_mutexattr_init(&attr);
	pthread_mutexattr_setrobust(&attr, PTHREAD_MUTEX_ROBUST);
	pthread_mutex_init(&lock, &attr);
	pthread_create(&a, NULL, dies, NULL);
	pthread_create(&b, NULL, lives, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	if (pthread_mutex_lock(&lock) == EOWNERDEAD)
		repair();
	assert(left == 2 && right == 2);
	pthread_mutex_unlock(&lock);
	return 0;
}
