/* main ends with pthread_exit; the last thread ends the process, with status 0. */
#include <pthread.h>
#include <unistd.h>

#include "check.h"

static void said_last(void)
{
	SUCCESS();
}

static void *go_on(void *arg)
{
	usleep(1000);
	return arg;
}

int main(void)
{
	pthread_t t;

	CHECK(atexit(said_last) == 0);
	CHECK(pthread_create(&t, NULL, go_on, NULL) == 0);
	CHECK(pthread_detach(t) == 0);
	pthread_exit(NULL);
}
