/*
 * A file and a pipe, opened by two threads, whose numbers depend on the order.
 *
 * expect: 4
 * match: descriptors of files and of pipes
 */
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <unistd.h>

static int ends[2];

static void *opener(void *arg)
{
	pipe(ends);
	return arg;
}

int main(void)
{
	pthread_t t;
	int mine;

	pthread_create(&t, NULL, opener, NULL);
	mine = open("/dev/null", O_RDONLY);
	pthread_join(t, NULL);
	assert(mine != ends[0]);
	return 0;
}
