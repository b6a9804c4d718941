/*
 * A writer moves the position and counts, another clears both: not one step.
 *
 * Expected: assertion
 */
#include <assert.h>
#include <pthread.h>

#include "nudge.h"

#define SIZE 8
static int buffer[SIZE], pos, written, resets;

static void *writer(void *arg)
{
	buffer[pos] = 1;
	pos++;
	nudge_pass(0);
	nudge_wait(1);
	written++;
	assert(pos == written);
	return arg;
}

static void *resetter(void *arg)
{
	nudge_wait(0);
	resets++;
	pos = 0;
	written = 0;
	nudge_pass(1);
	return arg;
}

int main(void)
{
	pthread_t t[2];

	nudge_init(2);
	pthread_create(&t[0], NULL, writer, NULL);
	pthread_create(&t[1], NULL, resetter, NULL);
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], NULL);
	return 0;
}
