/*
 * Two streams on one file: what was written through one is read through the other.
 *
 * expect: 1
 * match: assertion failed
 */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

static FILE *out, *in;

static void *writer(void *arg)
{
	for (int i = 0; i < 3; i++) {
		fputc('a' + i, out);
		fflush(out);
	}
	return arg;
}

int main(void)
{
	char got[8];
	pthread_t t;
	size_t n;

	out = fopen("streams", "w");
	in = fopen("streams", "r");
	pthread_create(&t, NULL, writer, NULL);
	n = fread(got, 1, 3, in);
	pthread_join(t, NULL);
	unlink("streams");
	assert(n != 2);
	return 0;
}
