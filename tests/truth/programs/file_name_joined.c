/*
 * expect: 0
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

	unlink("there");
	pthread_create(&t, NULL, maker, NULL);
	pthread_join(t, NULL);
	assert(access("there", F_OK) == 0);
	unlink("there");
	return 0;
}
