/* nondet: fork, exec, system, popen and posix_spawn while other threads synchronise. */
#include <pthread.h>
#include <spawn.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"

extern char **environ;
static pthread_mutex_t mu = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cv = PTHREAD_COND_INITIALIZER;
static volatile int stop;
static int passed;

static void *ping(void *number)
{
	while (!stop) {
		pthread_mutex_lock(&mu);
		passed++;
		pthread_cond_signal(&cv);
		pthread_mutex_unlock(&mu);
		usleep(10);
	}
	return number;
}

static void expect_status(pid_t pid, int code)
{
	int status;
	EXPECT(pid > 0);
	EXPECT(waitpid(pid, &status, 0) == pid);
	EXPECT(WIFEXITED(status) && WEXITSTATUS(status) == code);
}

static void exec_child(void)
{
	pid_t pid = fork();
	if (pid == 0) {
		execl("/bin/sh", "sh", "-c", "exit 5", (char *)NULL);
		_exit(127);
	}
	expect_status(pid, 5);
}

static void spawn_child(void)
{
	char *const arguments[] = {"sh", "-c", "exit 6", NULL};
	pid_t pid;
	EXPECT(posix_spawn(&pid, "/bin/sh", NULL, NULL, arguments, environ) == 0);
	expect_status(pid, 6);
}

static void read_child(void)
{
	char line[32] = "";
	FILE *f = popen("echo from the child; exit 3", "r");
	EXPECT(f && fgets(line, sizeof(line), f));
	EXPECT(strcmp(line, "from the child\n") == 0);
	EXPECT(WEXITSTATUS(pclose(f)) == 3);
}

/* The child has one thread; it may go on to wait for what that thread does itself. */
static void waiting_child(void)
{
	pthread_t t;
	pid_t pid = fork();
	if (pid == 0) {
		stop = 0;
		pthread_mutex_init(&mu, NULL); /* somebody may have held it */
		pthread_cond_init(&cv, NULL);
		EXPECT(pthread_create(&t, NULL, ping, NULL) == 0);
		pthread_mutex_lock(&mu);
		int seen = passed;
		while (passed == seen)
			pthread_cond_wait(&cv, &mu);
		stop = 1;
		pthread_mutex_unlock(&mu);
		EXPECT(pthread_join(t, NULL) == 0);
		exit(8);
	}
	expect_status(pid, 8);
}

int main(void)
{
	pthread_t t[2];
	for (int i = 0; i < 2; i++)
		EXPECT(pthread_create(&t[i], NULL, ping, NULL) == 0);
	for (int round = 0; round < 3; round++) {
		exec_child();
		spawn_child();
		read_child();
		EXPECT(WEXITSTATUS(system("exit 4")) == 4);
		waiting_child();
	}
	stop = 1;
	for (int i = 0; i < 2; i++)
		EXPECT(pthread_join(t[i], NULL) == 0);
	return 0;
}
