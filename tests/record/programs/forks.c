/* Children by fork run on, unrecorded; so does what they execute. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
static int n;
static void *worker(void *arg) { for (int i = 0; i < 20000; i++) if (n < 1000000) n++; return arg; }
int main(int argc, char **argv)
{
	pthread_t t;
	int status, sum = 0;
	if (argc > 1) { worker(0); return 5; }
	pthread_create(&t, 0, worker, 0);
	for (int i = 0; i < 3; i++) {
		pid_t pid = fork();
		if (pid == 0) {
			worker(0);
			if (i == 2) execl(argv[0], argv[0], "child", NULL);
			_exit(4);
		}
		waitpid(pid, &status, 0);
		sum += WEXITSTATUS(status);
	}
	pthread_join(t, 0);
	printf("%d %s\n", sum, getenv("HEDDLE_RECORD") ? "seen" : "unseen");
	return 0;
}
