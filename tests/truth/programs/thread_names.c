/*
 * expect: 0
 * drawn
 *
 * Threads name themselves, in both ways, and find their own name again.
 */
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <string.h>
#include <sys/prctl.h>

static void *by_prctl(void *arg)
{
	char name[16];

	prctl(PR_SET_NAME, arg);
	prctl(PR_GET_NAME, name);
	assert(strcmp(name, arg) == 0);
	return arg;
}

static void *by_handle(void *arg)
{
	char name[16];

	pthread_setname_np(pthread_self(), "right");
	pthread_getname_np(pthread_self(), name, sizeof(name));
	assert(strcmp(name, "right") == 0);
	return arg;
}

int main(void)
{
	pthread_t t[3];

	pthread_create(&t[0], 0, by_prctl, "left");
	pthread_create(&t[1], 0, by_prctl, "middle");
	pthread_create(&t[2], 0, by_handle, 0);
	for (int i = 0; i < 3; i++)
		pthread_join(t[i], 0);
	return 0;
}
