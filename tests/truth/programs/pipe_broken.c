/*
 * A pipe that nobody can read any more: the write fails with EPIPE when it comes late, and only then.
 * expect: 1
 * match: assertion failed at pipe_broken.c
 */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

static int ends[2];

static void *leave(void *arg)
{
	close(ends[0]);
	return arg;
}

int main(void)
{
	pthread_t t;
	ssize_t put;

	signal(SIGPIPE, SIG_IGN);
	assert(pipe(ends) == 0);
	pthread_create(&t, NULL, leave, NULL);
	put = write(ends[1], "x", 1);
	assert(put == 1 || errno == EPIPE);
	assert(put == 1);
	pthread_join(t, NULL);
	return 0;
}
