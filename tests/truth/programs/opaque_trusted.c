/*
 * expect: 0
 * options: --trust=hsearch
 *
 * The same, vouched for by the user.
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
