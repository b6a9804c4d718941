/*
 * A thread that works until it is asked to end, and one that asks itself.
 *
 * expect: 0
 */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static void *until_asked(void *arg)
{
	for (;;)
		pthread_testcancel();
	return NULL;
}

static void *ends_itself(void *arg)
{
	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, NULL);
	pthread_cancel(pthread_self());
	pthread_testcancel();
	pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, NULL);
	pthread_testcancel();
	return NULL;
}

int main(void)
{
	pthread_t t[2];
	void *result;

	pthread_create(&t[0], NULL, until_asked, NULL);
	pthread_create(&t[1], NULL, ends_itself, NULL);
	pthread_cancel(t[0]);
	for (int i = 0; i < 2; i++) {
		pthread_join(t[i], &result);
		assert(result == PTHREAD_CANCELED);
	}
	return 0;
}
