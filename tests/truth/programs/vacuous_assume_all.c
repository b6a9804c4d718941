/*
 * No execution keeps to the assumption: nothing was looked at, whatever is asserted behind it.
 * expect: 4
 * match: no execution kept to the assumptions
 * drawn
 */
#include <assert.h>
#include <heddle/heddle.h>
#include <pthread.h>

static int x;

static void *work(void *arg)
{
	heddle_assume(x == 2);
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
