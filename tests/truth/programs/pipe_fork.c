/*
 * A child writes to the pipe: no deadlock, and nobody knows what it does.
 * expect: 4
 * match: fork\(\) with pipes
 */
#include <assert.h>
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

static int ends[2];

static void *get(void *arg)
{
	char c;

	assert(read(ends[0], &c, 1) == 1);
	return arg;
}

int main(void)
{
	pthread_t t;
	pid_t child;

	assert(pipe(ends) == 0);
	pthread_create(&t, NULL, get, NULL);
	child = fork();
	if (child == 0) {
		(void)!write(ends[1], "x", 1);
		_exit(0);
	}
	waitpid(child, NULL, 0);
	pthread_join(t, NULL);
	return 0;
}
