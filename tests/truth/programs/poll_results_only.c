/*
 * expect: 0
 * options: --races=error
 *
 * poll() leaves what it was asked alone.
 */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <poll.h>
#include <unistd.h>

static struct pollfd asked;
static int ends[2];

static void *one(void *arg)
{
	poll(&asked, 1, 0);
	return arg;
}

static void *other(void *arg)
{
	assert(asked.fd == ends[0] && asked.events == POLLIN);
	return arg;
}

int main(void)
{
	pthread_t t[2];

	if (pipe(ends))
		return 0;
	asked = (struct pollfd){.fd = ends[0], .events = POLLIN};
	pthread_create(&t[0], NULL, one, NULL);
	pthread_create(&t[1], NULL, other, NULL);
	pthread_join(t[0], NULL);
	pthread_join(t[1], NULL);
	assert(asked.revents == 0);
	return 0;
}
