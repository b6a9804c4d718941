/* nondet: ends of pipes that other processes, streams and handlers of signals have as well. */
#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"

static int from_child[2], text[2], self[2], never[2];

static void *read_child(void *unused)
{
	char c[64];
	ssize_t n, sum = 0;

	(void)unused;
	while ((n = read(from_child[0], c, sizeof(c))) > 0)
		sum += n;
	return (void *)sum;
}

static void *print(void *unused)
{
	FILE *to = fdopen(text[1], "w");

	(void)unused;
	for (int i = 0; i < 5000; i++)
		fprintf(to, "%d\n", i);
	fclose(to);
	return NULL;
}

static void *scan(void *from)
{
	char c[32];
	long lines = 0;

	while (fgets(c, sizeof(c), from))
		lines++;
	return (void *)lines;
}

static void *wait_for_ever(void *unused)
{
	char c;

	(void)unused;
	EXPECT(read(never[0], &c, 1) == 1);
	return NULL;
}

static void handle(int number)
{
	char c = (char)number;

	EXPECT(write(self[1], &c, 1) == 1);
}

static long joined(pthread_t t)
{
	void *result;

	EXPECT(pthread_join(t, &result) == 0);
	return (long)result;
}

int main(void)
{
	struct itimerval soon = {.it_value = {.tv_usec = 20000}};
	pthread_t reader, printer, scanners[3], cancelled;
	long lines = 0;
	char c;

	EXPECT(pipe(from_child) == 0 && pipe(text) == 0 && pipe(self) == 0 && pipe(never) == 0);
	pthread_create(&cancelled, NULL, wait_for_ever, NULL);
	/* A handler writes while everybody waits. */
	signal(SIGALRM, handle);
	setitimer(ITIMER_REAL, &soon, NULL);
	while (read(self[0], &c, 1) != 1)
		;
	EXPECT(c == SIGALRM);
	pthread_create(&reader, NULL, read_child, NULL);
	pid_t child = vfork();
	if (child == 0) {
		dup2(from_child[1], 1);
		execlp("sh", "sh", "-c", "sleep 0.1; echo hello", (char *)NULL);
		_exit(99);
	}
	close(from_child[1]);
	EXPECT(joined(reader) == 6 && waitpid(child, NULL, 0) == child);
	pthread_create(&printer, NULL, print, NULL);
	FILE *from = fdopen(text[0], "r");
	for (int i = 0; i < 3; i++)
		pthread_create(&scanners[i], NULL, scan, from);
	joined(printer);
	for (int i = 0; i < 3; i++)
		lines += joined(scanners[i]);
	EXPECT(lines == 5000 && fclose(from) == 0);
	pthread_cancel(cancelled);
	EXPECT(joined(cancelled) == (long)PTHREAD_CANCELED);
	return 0;
}
