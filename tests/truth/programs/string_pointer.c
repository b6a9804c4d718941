/*
 * expect: 1
 * drawn
 *
 * A library function called through a pointer.
 */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char buf[8] = "a";
static int (*volatile compare)(const char *, const char *) = strcmp;

static void *writer(void *arg)
{
	buf[0] = 'b';
	return arg;
}

int main(void)
{
	pthread_t t;

	pthread_create(&t, NULL, writer, NULL);
	assert(compare(buf, "a") == 0);
	pthread_join(t, NULL);
	return 0;
}
