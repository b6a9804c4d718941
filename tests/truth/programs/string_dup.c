/*
 * expect: 0
 * drawn
 *
 * A copy on the heap handed over through a lock.
 */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t ready = PTHREAD_COND_INITIALIZER;
static char *message;

static void *sender(void *arg)
{
	char *copy = strdup("hello");

	pthread_mutex_lock(&lock);
	message = copy;
	pthread_cond_signal(&ready);
	pthread_mutex_unlock(&lock);
	return arg;
}

int main(void)
{
	pthread_t t;

	pthread_create(&t, NULL, sender, NULL);
	pthread_mutex_lock(&lock);
	while (!message)
		pthread_cond_wait(&ready, &lock);
	assert(strcmp(message, "hello") == 0);
	pthread_mutex_unlock(&lock);
	free(message);
	pthread_join(t, NULL);
	return 0;
}
