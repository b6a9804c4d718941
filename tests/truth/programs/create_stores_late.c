/*
 * expect: 1
 * match: assertion failed
 *
 * The id of a thread, a variable of main, may be stored before or after the thread looks at it.
 */
#include <assert.h>
#include <pthread.h>

static void *look(void *arg)
{
	assert(*(volatile pthread_t *)arg == 0);
	return NULL;
}

int main(void)
{
	pthread_t t = 0;

	pthread_create(&t, NULL, look, &t);
	pthread_join(t, NULL);
	return 0;
}
