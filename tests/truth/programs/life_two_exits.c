/*
 * Two threads are about to end the process: either may be the first.
 *
 * expect: 1
 * match: exit status 3
 * options: --exit-code
 * drawn
 */
#include <pthread.h>
#include <stdlib.h>

static void *thread(void *arg)
{
	exit(3);
	return arg;
}

int main(void)
{
	pthread_t t;

	pthread_create(&t, NULL, thread, NULL);
	return 0;
}
