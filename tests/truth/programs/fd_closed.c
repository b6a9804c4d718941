/*
 * A descriptor closed by another thread while it is used: EBADF in some orders.
 * expect: 1
 * match: assertion failed at fd_closed.c
 */
#include <assert.h>
#include <pthread.h>
#include <unistd.h>

static int ends[2];

static void *leave(void *arg)
{
	close(ends[1]);
	return arg;
}

int main(void)
{
	pthread_t t;

	assert(pipe(ends) == 0);
	pthread_create(&t, NULL, leave, NULL);
	assert(write(ends[1], "x", 1) == 1);
	pthread_join(t, NULL);
	return 0;
}
