/*
 * expect: 1
 * drawn
 *
 * The order of two locked appends shows in the string.
 */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static char text[64] = "";

static void *append(void *arg)
{
	pthread_mutex_lock(&lock);
	strcat(text, arg);
	pthread_mutex_unlock(&lock);
	return NULL;
}

int main(void)
{
	pthread_t a, b;

	pthread_create(&a, NULL, append, "one");
	pthread_create(&b, NULL, append, "two");
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	assert(!strcmp(text, "onetwo"));
	return 0;
}
