/*
 * expect: 4
 * match: hsearch.*is not instrumented.*opaque_after.c:[0-9]+
 * match: --trust=hsearch
 *
 * A call of code nobody knows, in a thread.
 */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <search.h>

static void *reader(void *arg)
{
	ENTRY e = {"x", NULL};

	hsearch(e, ENTER);
	return arg;
}

int main(void)
{
	pthread_t t;

	hcreate(8);
	pthread_create(&t, NULL, reader, NULL);
	pthread_join(t, NULL);
	return 0;
}
