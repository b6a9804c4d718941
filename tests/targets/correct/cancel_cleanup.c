/*
 * Cancellation with cleanup handlers: the lock is given back, whatever the moment.
 * expect: clean
 */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t never = PTHREAD_COND_INITIALIZER;
static int cleaned;

static void give_back(void *arg)
{
	cleaned++;
	pthread_mutex_unlock(arg);
}

static void *waiter(void *arg)
{
	pthread_mutex_lock(&lock);
	pthread_cleanup_push(give_back, &lock);
	for (;;)
		pthread_cond_wait(&never, &lock);
	pthread_cleanup_pop(1);
	return arg;
}

static void *stubborn(void *arg)
{
	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, NULL);
	pthread_testcancel();
	return arg;
}

int main(void)
{
	pthread_t t, s;
	void *result;

	pthread_create(&t, NULL, waiter, NULL);
	pthread_create(&s, NULL, stubborn, &lock);
	pthread_cancel(t);
	pthread_join(t, &result);
	assert(result == PTHREAD_CANCELED);
	pthread_join(s, &result);
	assert(result == &lock);
	pthread_mutex_lock(&lock);
	assert(cleaned == 1);
	pthread_mutex_unlock(&lock);
	return 0;
}
