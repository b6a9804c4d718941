/*
 * expect: 1
 * drawn
 *
 * A library function reads what another thread writes.
 */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static char buf[8] = "0";

static void *writer(void *arg)
{
	buf[0] = '1';
	return arg;
}

int main(void)
{
	pthread_t t;

	pthread_create(&t, NULL, writer, NULL);
	assert(atoi(buf) == 0);
	pthread_join(t, NULL);
	return 0;
}
