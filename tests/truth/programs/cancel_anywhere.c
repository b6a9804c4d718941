/*
 * Asynchronous cancellation may end a thread at any instruction.
 *
 * expect: 4
 * match: cancellation at any place of a thread
 */
#include <pthread.h>
#include <stddef.h>

static void *work(void *arg)
{
	pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, NULL);
	pthread_testcancel();
	return NULL;
}

int main(void)
{
	pthread_t t;

	pthread_create(&t, NULL, work, NULL);
	pthread_cancel(t);
	pthread_join(t, NULL);
	return 0;
}
