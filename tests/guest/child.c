/*
 * Child processes: fork leaves control in the child, waiting for it does not block for real.
 * not on: reset
 */
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"

static int ends[2];
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *echo(void *arg)
{
	pthread_mutex_lock(&mutex);
	pthread_mutex_unlock(&mutex);
	return arg;
}

/* The child uses threads of its own. */
static void child(void)
{
	pthread_t t;
	char *text = malloc(16);

	CHECK(text != NULL);
	free(text);
	CHECK(pthread_create(&t, NULL, echo, NULL) == 0);
	CHECK(pthread_join(t, NULL) == 0);
	CHECK(write(ends[1], "c", 1) == 1);
	_exit(7);
}

static void *make_child(void *arg)
{
	pid_t pid = fork();
	int status;
	char c;

	CHECK(pid >= 0);
	if (pid == 0)
		child();
	CHECK(read(ends[0], &c, 1) == 1 && c == 'c');
	CHECK(waitpid(pid, &status, 0) == pid);
	CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 7);
	return arg;
}

int main(void)
{
	pthread_t t, u;
	int status;

	CHECK(pipe(ends) == 0);
	CHECK(pthread_create(&t, NULL, make_child, NULL) == 0);
	CHECK(pthread_create(&u, NULL, echo, NULL) == 0);
	CHECK(pthread_join(t, NULL) == 0 && pthread_join(u, NULL) == 0);
	CHECK(wait(&status) == -1 && errno == ECHILD);
	CHECK(system("exit 3") == 3 << 8);
	CHECK(kill(getpid(), 0) == 0);
	/* Whatever is around this process is not for its children. */
	CHECK(getenv("HEDDLE_CTL") == NULL);
	SUCCESS();
	return 0;
}
