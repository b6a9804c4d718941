/*
 * expect: 1
 * drawn
 *
 * What %s reads, and what snprintf writes.
 */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char name[16] = "nobody";
static char line[32] = "";

static void *writer(void *arg)
{
	name[0] = 'N';
	return arg;
}

int main(void)
{
	pthread_t t;

	pthread_create(&t, NULL, writer, NULL);
	snprintf(line, sizeof(line), "%d: %s", 7, name);
	pthread_join(t, NULL);
	assert(strcmp(line, "7: nobody") == 0);
	return 0;
}
