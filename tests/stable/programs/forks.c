/* nondet: fork in a threaded program; handlers, and a child that makes threads of its own. */
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"

static pthread_mutex_t mu = PTHREAD_MUTEX_INITIALIZER;
static volatile int stop;
static int sum;

static void before(void)
{
	pthread_mutex_lock(&mu);
}

static void after(void)
{
	pthread_mutex_unlock(&mu);
}

static void *churn(void *unused)
{
	(void)unused;
	for (int i = 0; i < 200 && !stop; i++) {
		pthread_mutex_lock(&mu);
		sum++;
		pthread_mutex_unlock(&mu);
	}
	return NULL;
}

int main(void)
{
	pthread_t t[2], u;
	int status;
	pthread_atfork(before, after, after);
	for (int i = 0; i < 2; i++)
		pthread_create(&t[i], NULL, churn, NULL);
	for (int round = 0; round < 3; round++) {
		pid_t pid = fork();
		EXPECT(pid >= 0);
		if (pid == 0) {
			EXPECT(pthread_create(&u, NULL, churn, NULL) == 0);
			EXPECT(pthread_join(u, NULL) == 0);
			_exit(7);
		}
		EXPECT(waitpid(pid, &status, 0) == pid);
		EXPECT(WIFEXITED(status) && WEXITSTATUS(status) == 7);
	}
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], NULL);
	EXPECT(sum == 400);
	return 0;
}
