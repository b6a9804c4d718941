/*
 * Descriptors get the lowest number that is free: who opens first has the lower one.
 *
 * expect: 1
 * match: assertion failed
 */
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <unistd.h>

static int other;

static void *opener(void *arg)
{
	other = open("/dev/null", O_RDONLY);
	return arg;
}

int main(void)
{
	pthread_t t;
	int mine;

	pthread_create(&t, NULL, opener, NULL);
	mine = open("/dev/null", O_RDONLY);
	pthread_join(t, NULL);
	assert(mine < other);
	return 0;
}
