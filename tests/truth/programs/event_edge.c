/*
 * Edge-triggered, and not read to the end: the second notification came before the first was
 * looked at, and nobody hears of the rest.
 * expect: 1
 * match: ^deadlock
 */
#include <pthread.h>
#include <sys/epoll.h>
#include <unistd.h>

static int ends[2];

static void *notify(void *arg)
{
	(void)!write(ends[1], "x", 1);
	(void)!write(ends[1], "y", 1);
	return arg;
}

int main(void)
{
	struct epoll_event e = {.events = EPOLLIN | EPOLLET}, got;
	int loop = epoll_create1(0);
	pthread_t t;
	char c;

	if (pipe(ends) != 0)
		return 1;
	epoll_ctl(loop, EPOLL_CTL_ADD, ends[0], &e);
	pthread_create(&t, NULL, notify, NULL);
	for (int i = 0; i < 2; i++) {
		epoll_wait(loop, &got, 1, -1);
		(void)!read(ends[0], &c, 1);
	}
	pthread_join(t, NULL);
	return 0;
}
