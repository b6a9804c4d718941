/*
 * expect: 0
 * drawn
 *
 * sscanf() makes a string.
 */
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static char *made;

static void *one(void *arg)
{
	pthread_mutex_lock(&lock);
	sscanf("abc", "%ms", &made);
	pthread_mutex_unlock(&lock);
	return arg;
}

static void *other(void *arg)
{
	pthread_mutex_lock(&lock);
	assert(!made || !strcmp(made, "abc"));
	pthread_mutex_unlock(&lock);
	return arg;
}

int main(void)
{
	pthread_t t[2];

	pthread_create(&t[0], NULL, one, NULL);
	pthread_create(&t[1], NULL, other, NULL);
	pthread_join(t[0], NULL);
	pthread_join(t[1], NULL);
	assert(!strcmp(made, "abc"));
	free(made);
	return 0;
}
