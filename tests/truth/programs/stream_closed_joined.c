/*
 * A stream is written to by two threads and closed when they have ended.
 *
 * expect: 0
 */
#include <pthread.h>
#include <stdio.h>

static FILE *stream;

static void *writes(void *arg)
{
	fputs("x", stream);
	return arg;
}

int main(void)
{
	pthread_t a, b;

	stream = fopen("/dev/null", "w");
	pthread_create(&a, NULL, writes, NULL);
	pthread_create(&b, NULL, writes, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return fclose(stream) ? 1 : 0;
}
