/* det: processes that are forked, by the C library too, and have threads and fork handlers of their
 * own; one that only borrows the memory of its parent. */
#include <pthread.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"

static pthread_mutex_t counter = PTHREAD_MUTEX_INITIALIZER, at_fork = PTHREAD_MUTEX_INITIALIZER;
static int n;

static void before(void)
{
	pthread_mutex_lock(&at_fork);
}

static void after(void)
{
	pthread_mutex_unlock(&at_fork);
}

static void *count(void *unused)
{
	(void)unused;
	for (int i = 0; i < 50; i++) {
		pthread_mutex_lock(&counter);
		n++;
		pthread_mutex_unlock(&counter);
	}
	return NULL;
}

static void two_threads(void)
{
	pthread_t threads[2];
	n = 0;
	for (int i = 0; i < 2; i++)
		pthread_create(&threads[i], NULL, count, NULL);
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
	EXPECT(n == 100);
}

static void wait_for(pid_t pid)
{
	int status;
	EXPECT(waitpid(pid, &status, 0) == pid && status == 0);
}

int main(void)
{
	pthread_atfork(before, after, after);
	for (int round = 0; round < 3; round++) {
		pid_t pid = fork();
		if (pid == 0) {
			two_threads();
			exit(0);
		}
		wait_for(pid);
		two_threads();
	}
	pid_t pid = vfork();
	if (pid == 0)
		_exit(0);
	wait_for(pid);
	EXPECT(system("true") == 0);
	int ends[2];
	char byte;
	EXPECT(pipe(ends) == 0);
	pid = fork();
	if (pid == 0) {
		/* The C library forks here, without the program's name for it. */
		EXPECT(daemon(1, 1) == 0);
		two_threads();
		_exit(0);
	}
	wait_for(pid);
	/* Nobody waits for a daemon; its end of the pipe closes when it is gone. */
	close(ends[1]);
	EXPECT(read(ends[0], &byte, 1) == 0);
	two_threads();
	puts("done");
	return 0;
}
