/*
 * Passengers go through a plane of one seat; the drainer checks with `if' before it waits, not with
 * `while', and goes on although another took the passenger.
 *
 * Expected: assertion
 */
#include <assert.h>
#include <pthread.h>

#include "nudge.h"

static int seats;
static pthread_mutex_t door = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t boarded = PTHREAD_COND_INITIALIZER;

static void *filler(void *arg)
{
	nudge_wait(0);
	pthread_mutex_lock(&door);
	seats++;
	pthread_cond_broadcast(&boarded);
	pthread_mutex_unlock(&door);
	return arg;
}

static void *drainer(void *arg)
{
	pthread_mutex_lock(&door);
	if (arg)
		nudge_pass(1);
	else
		nudge_pass(0);
	if (seats == 0)
		pthread_cond_wait(&boarded, &door);
	assert(seats > 0);
	seats--;
	pthread_mutex_unlock(&door);
	return arg;
}

static void *last(void *arg)
{
	nudge_wait(1);
	return drainer(arg);
}

int main(void)
{
	pthread_t t[4];

	nudge_init(2);
	pthread_create(&t[0], NULL, drainer, &t);
	pthread_create(&t[1], NULL, last, NULL);
	pthread_create(&t[2], NULL, filler, NULL);
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], NULL);
	pthread_join(t[2], NULL);
	return 0;
}
