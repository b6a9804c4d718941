/*
 * Two failures in one build; which of them real threads show is said by NUDGE.
 *
 * Expected: by name
 */
#include <assert.h>
#include <pthread.h>
#include <string.h>

#include "nudge.h"

static int ready, value, closed, files = 1;

static int is(const char *name)
{
	return nudge_on() && !strcmp(getenv("NUDGE"), name);
}

static void *setter(void *arg)
{
	ready = 1;
	if (is("early")) {
		nudge_pass(0);
		nudge_wait(1);
	}
	value = 1;
	closed = 1;
	if (is("late")) {
		nudge_pass(0);
		nudge_wait(1);
	}
	files--;
	return arg;
}

static void *user(void *arg)
{
	nudge_wait(0);
	if (ready)
		assert(value == 1);
	if (closed)
		assert(files == 0);
	return arg;
}

int main(void)
{
	pthread_t t[2];

	nudge_init(2);
	pthread_create(&t[0], NULL, setter, NULL);
	pthread_create(&t[1], NULL, user, NULL);
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], NULL);
	return 0;
}
