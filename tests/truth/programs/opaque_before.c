/*
 * expect: 0
 * cc: -Wno-deprecated
 *
 * Code nobody knows that runs before there are threads is the same every time.
 */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <search.h>

static char table[16] = "x";

static void *reader(void *arg)
{
	assert(table[0] == 'x');
	return arg;
}

int main(void)
{
	pthread_t t;
	ENTRY e = {"x", NULL};

	hcreate(8);
	hsearch(e, ENTER);
	pthread_create(&t, NULL, reader, NULL);
	pthread_join(t, NULL);
	return 0;
}
