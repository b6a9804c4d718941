/*
 * A library function called through a pointer, then streams: what heddle asks of the dynamic linker
 * for either leaves nothing in the program's heap.
 *
 * expect: 0
 */
#include <pthread.h>
#include <stdio.h>
#include <string.h>

static size_t (*volatile length)(const char *) = strlen;

static void *thread(void *arg)
{
	size_t n = length(arg);

	for (int i = 0; i < 2; i++) {
		fputs(arg, stdout);
		fflush(stdout);
	}
	return n == 2 ? NULL : arg;
}

int main(void)
{
	pthread_t t[2];

	for (int i = 0; i < 2; i++)
		pthread_create(&t[i], NULL, thread, (void *)"a\n");
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], NULL);
	return 0;
}
