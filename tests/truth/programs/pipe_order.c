/*
 * Two writers of a pipe: which byte comes first is a behaviour of the program.
 * expect: 1
 * match: assertion failed at pipe_order.c
 * drawn
 */
#include <assert.h>
#include <pthread.h>
#include <unistd.h>

static int ends[2];

static void *put(void *arg)
{
	assert(write(ends[1], arg, 1) == 1);
	return NULL;
}

int main(void)
{
	pthread_t t, u;
	char got[2];

	assert(pipe(ends) == 0);
	pthread_create(&t, NULL, put, "a");
	pthread_create(&u, NULL, put, "b");
	pthread_join(t, NULL);
	pthread_join(u, NULL);
	assert(read(ends[0], got, 2) == 2);
	assert(got[0] == 'a');
	return 0;
}
