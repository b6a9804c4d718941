/*
 * The request may come after the last test.
 *
 * expect: 1
 * match: result == PTHREAD_CANCELED
 */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static void *work(void *arg)
{
	pthread_testcancel();
	return NULL;
}

int main(void)
{
	pthread_t t;
	void *result;

	pthread_create(&t, NULL, work, NULL);
	pthread_cancel(t);
	pthread_join(t, &result);
	assert(result == PTHREAD_CANCELED);
	return 0;
}
