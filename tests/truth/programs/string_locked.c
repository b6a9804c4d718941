/*
 * expect: 0
 * drawn
 *
 * Strings under a lock: every order of two appending threads, all the same length.
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
	assert(strlen(text) == 6);
	assert(!strcmp(text, "onetwo") || !strcmp(text, "twoone"));
	return 0;
}
