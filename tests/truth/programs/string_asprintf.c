/*
 * The text that asprintf makes is written by it.
 *
 * expect: 0
 */
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

/* The other program of the pair forgets to lock. */
#ifdef UNLOCKED
#define LOCK() ((void)0)
#define UNLOCK() ((void)0)
#else
#define LOCK() pthread_mutex_lock(&mutex)
#define UNLOCK() pthread_mutex_unlock(&mutex)
#endif

static char *last;
static int number;

static void *worker(void *arg)
{
	char *old;

	LOCK();
	old = last;
	assert(asprintf(&last, "job %d", ++number) > 0);
	free(old);
	UNLOCK();
	return arg;
}

int main(void)
{
	pthread_t t;

	pthread_create(&t, NULL, worker, NULL);
	worker(NULL);
	pthread_join(t, NULL);
	assert(last[4] == '2');
	free(last);
	return 0;
}
