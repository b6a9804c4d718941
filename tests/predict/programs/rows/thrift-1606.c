/*
 * The parent sets the state to "starting" when the thread may already be looking at it.
 */
#include "../program.h"

static enum { CREATED, STARTING } state;

static void *runner(void *arg)
{
	return state == STARTING ? arg : NULL;
}

int main(void)
{
	pthread_t t[1];

	state = CREATED;
	pthread_create(&t[0], NULL, runner, NULL);
	state = STARTING;
	join_all(t, 1);
	return 0;
}
