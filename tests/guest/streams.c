/* flockfile: the lock of a stream, recursive, between threads. */
#include <pthread.h>
#include <stdio.h>

#include "check.h"

static int inside;

static void *use(void *arg)
{
	flockfile(stderr);
	CHECK(ftrylockfile(stderr) == 0);
	CHECK(inside++ == 0);
	inside--;
	funlockfile(stderr);
	funlockfile(stderr);
	return arg;
}

static void *try_it(void *arg)
{
	return (void *)(long)ftrylockfile(stderr);
}

int main(void)
{
	pthread_t t[2];
	void *result;

	for (int i = 0; i < 2; i++)
		CHECK(pthread_create(&t[i], NULL, use, NULL) == 0);
	for (int i = 0; i < 2; i++)
		CHECK(pthread_join(t[i], NULL) == 0);
	flockfile(stderr);
	CHECK(pthread_create(&t[0], NULL, try_it, NULL) == 0);
	CHECK(pthread_join(t[0], &result) == 0 && result != NULL);
	funlockfile(stderr);
	SUCCESS();
	return 0;
}
