/*
 * A pipe that does not block says EAGAIN when it is empty, which it is or is not.
 * expect: 1
 * match: assertion failed at pipe_nonblocking.c
 * cc: -D_GNU_SOURCE
 */
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <unistd.h>

static int ends[2];

static void *put(void *arg)
{
	assert(write(ends[1], "x", 1) == 1);
	return arg;
}

int main(void)
{
	pthread_t t;
	char c;

	assert(pipe2(ends, O_NONBLOCK) == 0);
	assert(fcntl(ends[0], F_GETFL) & O_NONBLOCK);
	pthread_create(&t, NULL, put, NULL);
	ssize_t got = read(ends[0], &c, 1);
	assert(got == 1 || (got == -1 && errno == EAGAIN));
	assert(got == -1);
	pthread_join(t, NULL);
	return 0;
}
