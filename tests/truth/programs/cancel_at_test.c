/*
 * A request to end is found at the next test, or not any more: both are behaviours.
 *
 * expect: 0
 * match: all 3 behaviours
 */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static int cleaned;

static void clean(void *arg)
{
	cleaned = 1;
}

static void *work(void *arg)
{
	pthread_cleanup_push(clean, NULL);
	pthread_testcancel();
	pthread_testcancel();
	pthread_cleanup_pop(0);
	return NULL;
}

int main(void)
{
	pthread_t t;
	void *result;

	pthread_create(&t, NULL, work, NULL);
	pthread_cancel(t);
	pthread_join(t, &result);
	assert((result == PTHREAD_CANCELED) == cleaned);
	return 0;
}
