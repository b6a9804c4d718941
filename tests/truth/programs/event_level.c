/*
 * The same, level-triggered: what is left is reported again.
 * expect: 0
 */
#include <assert.h>
#include <pthread.h>
#include <sys/epoll.h>
#include <unistd.h>

static int ends[2];

static void *notify(void *arg)
{
	assert(write(ends[1], "x", 1) == 1);
	assert(write(ends[1], "y", 1) == 1);
	return arg;
}

int main(void)
{
	struct epoll_event e = {.events = EPOLLIN}, got;
	int loop = epoll_create1(0);
	pthread_t t;
	char c;

	assert(pipe(ends) == 0);
	epoll_ctl(loop, EPOLL_CTL_ADD, ends[0], &e);
	pthread_create(&t, NULL, notify, NULL);
	for (int i = 0; i < 2; i++) {
		assert(epoll_wait(loop, &got, 1, -1) == 1 && got.events == EPOLLIN);
		assert(read(ends[0], &c, 1) == 1 && c == "xy"[i]);
	}
	assert(epoll_wait(loop, &got, 1, 0) == 0);
	pthread_join(t, NULL);
	return 0;
}
