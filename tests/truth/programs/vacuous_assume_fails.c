/*
 * The one order that keeps to the assumption fails.
 * expect: 1
 */
#include <assert.h>
#include <heddle/heddle.h>
#include <pthread.h>

static int x;

static void *work(void *arg)
{
	heddle_assume(x == 1);
	assert(0);
	return arg;
}

int main(void)
{
	pthread_t t;

	pthread_create(&t, NULL, work, NULL);
	x = 1;
	pthread_join(t, NULL);
	return 0;
}
