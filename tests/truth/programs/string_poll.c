/*
 * expect: 0
 * drawn
 *
 * A loop that polls a string under its lock waits; it does not race.
 */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static char state[16] = "new";

static void *worker(void *arg)
{
	pthread_mutex_lock(&lock);
	strcpy(state, "done");
	pthread_mutex_unlock(&lock);
	return arg;
}

int main(void)
{
	pthread_t t;
	int done = 0;

	pthread_create(&t, NULL, worker, NULL);
	while (!done) {
		pthread_mutex_lock(&lock);
		done = strcmp(state, "done") == 0;
		pthread_mutex_unlock(&lock);
		if (!done)
			usleep(1000);
	}
	pthread_join(t, NULL);
	return 0;
}
