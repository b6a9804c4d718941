/*
 * The name of a thread is state that others see and set.
 *
 * expect: 1
 * match: assertion failed
 */
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <string.h>
#include <sys/prctl.h>

static void *worker(void *arg)
{
	const char *names[] = {"idle", "busy", "done"};

	for (int i = 0; i < 3; i++)
		prctl(PR_SET_NAME, names[i]);
	return arg;
}

int main(void)
{
	pthread_t t;
	char name[16];

	pthread_create(&t, NULL, worker, NULL);
	pthread_getname_np(t, name, sizeof(name));
	assert(strcmp(name, "busy") != 0);
	pthread_join(t, NULL);
	return 0;
}
