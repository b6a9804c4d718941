/* det: pipes, pairs of sockets and event counters within the program: who reads what, who waits. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <stdint.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <unistd.h>

#include "check.h"

#define BYTES 200000

static int line[2], sockets[2], counters[2], set;
static unsigned long seen[5];

/* More than fits: a writer waits for its readers. */
static void *write_all(void *unused)
{
	static char text[BYTES];

	(void)unused;
	for (int i = 0; i < BYTES; i++)
		text[i] = (char)(i * 7);
	EXPECT(write(line[1], text, BYTES) == BYTES);
	close(line[1]);
	EXPECT(write(sockets[0], text, BYTES) == BYTES);
	shutdown(sockets[0], SHUT_WR);
	return NULL;
}

static void *read_line(void *number)
{
	unsigned char c[777];
	ssize_t n;

	while ((n = read(line[0], c, sizeof(c))) > 0)
		for (ssize_t i = 0; i < n; i++)
			seen[(long)number] = seen[(long)number] * 31 + c[i];
	return NULL;
}

static void *read_socket(void *number)
{
	unsigned char c[500];
	ssize_t n;

	while ((n = recv(sockets[1], c, sizeof(c), 0)) > 0)
		for (ssize_t i = 0; i < n; i++)
			seen[(long)number] = seen[(long)number] * 31 + c[i];
	return NULL;
}

static void *count(void *number)
{
	uint64_t one = 1;

	for (int i = 0; i < 30; i++)
		EXPECT(write(counters[(long)number], &one, sizeof(one)) == sizeof(one));
	return NULL;
}

static int next_ready(int turn)
{
	struct pollfd p[2] = {{.fd = counters[0], .events = POLLIN}, {.fd = counters[1], .events = POLLIN}};
	struct epoll_event event;
	fd_set ready;

	if (turn % 3 == 0) {
		EXPECT(epoll_wait(set, &event, 1, -1) == 1);
		return event.data.fd;
	}
	if (turn % 3 == 1) {
		EXPECT(poll(p, 2, -1) > 0);
		return p[p[0].revents ? 0 : 1].fd;
	}
	FD_ZERO(&ready);
	FD_SET(counters[0], &ready);
	FD_SET(counters[1], &ready);
	EXPECT(select(counters[1] + 1, &ready, NULL, NULL, NULL) > 0);
	return FD_ISSET(counters[1], &ready) ? counters[1] : counters[0];
}

static void watch(void)
{
	for (int i = 0; i < 60; i++) {
		uint64_t n;
		int fd = next_ready(i);

		EXPECT(read(fd, &n, sizeof(n)) == sizeof(n) && n == 1);
		seen[4] = seen[4] * 31 + (unsigned long)(fd == counters[1]);
	}
	struct pollfd p = {.fd = counters[0], .events = POLLIN};
	EXPECT(poll(&p, 1, 5) == 0);
	uint64_t n;
	EXPECT(fcntl(counters[0], F_SETFL, O_NONBLOCK) == 0);
	EXPECT(read(counters[0], &n, sizeof(n)) == -1 && errno == EAGAIN);
}

int main(void)
{
	pthread_t threads[7];
	void *(*const work[])(void *) = {read_line,   read_line, read_socket, read_socket,
					 write_all, count,     count};

	EXPECT(pipe(line) == 0 && socketpair(AF_UNIX, SOCK_STREAM, 0, sockets) == 0);
	set = epoll_create1(0);
	for (int i = 0; i < 2; i++) {
		counters[i] = eventfd(0, EFD_SEMAPHORE);
		struct epoll_event event = {.events = EPOLLIN, .data.fd = counters[i]};
		EXPECT(epoll_ctl(set, EPOLL_CTL_ADD, counters[i], &event) == 0);
	}
	for (long i = 0; i < 7; i++)
		EXPECT(pthread_create(&threads[i], NULL, work[i], (void *)(i < 4 ? i : i - 5)) == 0);
	watch();
	for (int i = 0; i < 7; i++)
		pthread_join(threads[i], NULL);
	for (int i = 0; i < 5; i++)
		printf("%lx\n", seen[i]);
	return 0;
}
