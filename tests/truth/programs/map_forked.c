/*
 * A child process writes memory that it shares with the threads of its parent.
 *
 * expect: 4
 * match: a child process shares memory with the program
 */
#include <assert.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile int *shared;

static void *make_child(void *arg)
{
	pid_t child = fork();

	if (child == 0) {
		*shared = 1;
		_exit(0);
	}
	waitpid(child, NULL, 0);
	return arg;
}

int main(void)
{
	pthread_t t;

	shared = mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1,
		      0);
	pthread_create(&t, NULL, make_child, NULL);
	assert(*shared == 0);
	pthread_join(t, NULL);
	return 0;
}
