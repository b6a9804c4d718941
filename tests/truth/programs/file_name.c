/*
 * Whether a file is there depends on who was faster.
 *
 * expect: 1
 * match: assertion failed
 */
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <unistd.h>

static void *maker(void *arg)
{
	close(open("there", O_CREAT | O_WRONLY, 0600));
	return arg;
}

int main(void)
{
	pthread_t t;
	int there;

	unlink("there");
	pthread_create(&t, NULL, maker, NULL);
	there = access("there", F_OK) == 0;
	pthread_join(t, NULL);
	unlink("there");
	assert(there);
	return 0;
}
