/*
 * An event loop that its own threads wake: epoll over an eventfd and a pipe, to the end.
 * expect: 0
 */
#include <assert.h>
#include <pthread.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <unistd.h>

static int wake, ends[2];

static void *notify(void *arg)
{
	assert(eventfd_write(wake, 1) == 0);
	return arg;
}

static void *finish(void *arg)
{
	close(ends[1]);
	return arg;
}

int main(void)
{
	struct epoll_event e = {.events = EPOLLIN}, got[4];
	int loop = epoll_create1(0), open = 1, woken = 0;
	eventfd_t value;
	pthread_t t, u;

	wake = eventfd(0, EFD_NONBLOCK);
	assert(loop >= 0 && wake >= 0 && pipe(ends) == 0);
	e.data.fd = wake;
	assert(epoll_ctl(loop, EPOLL_CTL_ADD, wake, &e) == 0);
	e.data.fd = ends[0];
	assert(epoll_ctl(loop, EPOLL_CTL_ADD, ends[0], &e) == 0);
	pthread_create(&t, NULL, notify, NULL);
	pthread_create(&u, NULL, finish, NULL);
	while (open || !woken) {
		int n = epoll_wait(loop, got, 4, -1);

		assert(n > 0);
		for (int i = 0; i < n; i++) {
			if (got[i].data.fd == wake) {
				assert(eventfd_read(wake, &value) == 0 && value == 1);
				woken = 1;
			} else {
				assert(got[i].events == EPOLLHUP);
				open = 0;
				epoll_ctl(loop, EPOLL_CTL_DEL, ends[0], NULL);
			}
		}
	}
	pthread_join(t, NULL);
	pthread_join(u, NULL);
	return 0;
}
