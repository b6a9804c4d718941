/* A server that watches its connections by epoll, by pointers: fails when the sum becomes 42. */
#include <arpa/inet.h>
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

struct connection {
	int fd, seen;
};

static int sum, watch;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void add(int fd)
{
	struct connection *c = calloc(1, sizeof(*c));
	struct epoll_event event = {.events = EPOLLIN, .data.ptr = c};

	c->fd = fd;
	epoll_ctl(watch, EPOLL_CTL_ADD, fd, &event);
}

static void take(struct connection *c)
{
	unsigned char byte;

	if (read(c->fd, &byte, 1) == 1) {
		c->seen++;
		pthread_mutex_lock(&lock);
		sum += byte;
		assert(sum != 42);
		pthread_mutex_unlock(&lock);
		return;
	}
	epoll_ctl(watch, EPOLL_CTL_DEL, c->fd, NULL);
	close(c->fd);
	free(c);
}

static void *serve(void *arg)
{
	struct epoll_event ready[4];

	for (;;) {
		int n = epoll_wait(watch, ready, 4, -1);

		for (int i = 0; i < n; i++)
			take(ready[i].data.ptr);
	}
	return arg;
}

int main(int argc, char **argv)
{
	struct sockaddr_in at = {.sin_family = AF_INET, .sin_port = htons((unsigned short)atoi(argv[argc - 1]))};
	int on = 1, from = socket(AF_INET, SOCK_STREAM, 0), fd;
	pthread_t thread;

	at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	setsockopt(from, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on));
	if (bind(from, (struct sockaddr *)&at, sizeof(at)) || listen(from, 8))
		return 2;
	watch = epoll_create1(0);
	pthread_create(&thread, NULL, serve, NULL);
	while ((fd = accept(from, NULL, NULL)) >= 0)
		add(fd);
	return 0;
}
