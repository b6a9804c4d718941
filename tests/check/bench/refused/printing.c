/*
 * Threads that print while they work, with formats, buffers and a log level, as programs do.
 * No bug.
 * expect: clean
 * found: --strategy=random --runs=2000
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "../bench.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int lines;

static void say(int who, const char *what)
{
	char line[80];

	snprintf(line, sizeof(line), "%03d: %-10s (%s)", who, what, strerror(0));
	pthread_mutex_lock(&lock);
	puts(line);
	lines++;
	pthread_mutex_unlock(&lock);
}

static void *worker(void *number)
{
	say((int)(intptr_t)number, "begins");
	say((int)(intptr_t)number, "ends");
	return NULL;
}

int main(void)
{
	for (int i = 0; i < 2; i++)
		start(worker, i);
	join_all();
	printf("%d lines\n", lines);
	assert(lines == 4 && errno == 0);
	return 0;
}
