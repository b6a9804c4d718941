/*
 * SIGPIPE ends a program that writes to a pipe nobody reads.
 * expect: 1
 * match: SIGPIPE
 */
#include <pthread.h>
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

	if (pipe(ends) != 0)
		return 1;
	pthread_create(&t, NULL, leave, NULL);
	(void)!write(ends[1], "x", 1);
	pthread_join(t, NULL);
	return 0;
}
