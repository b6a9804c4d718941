/*
 * Descriptors that block: pipes, sockets, eventfd, poll, select, epoll between threads.
 * not on: reset
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <unistd.h>

#include "check.h"

#define LONG_WRITE 300000 /* more than a pipe holds */

static int ends[2], pair[2], event, listener;
static char big[LONG_WRITE];

static void *write_long(void *arg)
{
	CHECK(write(ends[1], big, sizeof(big)) == sizeof(big));
	CHECK(close(ends[1]) == 0);
	return arg;
}

static void test_pipe(void)
{
	char buffer[4096];
	ssize_t got, total = 0;
	pthread_t t;

	CHECK(pipe(ends) == 0);
	CHECK(pthread_create(&t, NULL, write_long, NULL) == 0);
	while ((got = read(ends[0], buffer, sizeof(buffer))) > 0)
		total += got;
	CHECK(got == 0 && total == LONG_WRITE);
	CHECK(pthread_join(t, NULL) == 0);
	CHECK(close(ends[0]) == 0);
	CHECK(read(ends[0], buffer, 1) == -1 && errno == EBADF);
}

static void *answer(void *arg)
{
	char buffer[16];
	struct iovec parts[2] = {{buffer, 2}, {buffer + 2, 3}};

	CHECK(readv(pair[1], parts, 2) == 5);
	CHECK(memcmp(buffer, "hello", 5) == 0);
	CHECK(send(pair[1], "world!", 6, 0) == 6);
	return arg;
}

static void test_sockets(void)
{
	char buffer[16];
	pthread_t t;

	CHECK(socketpair(AF_UNIX, SOCK_STREAM, 0, pair) == 0);
	CHECK(recv(pair[0], buffer, 1, MSG_DONTWAIT) == -1 && errno == EAGAIN);
	CHECK(pthread_create(&t, NULL, answer, NULL) == 0);
	CHECK(write(pair[0], "hello", 5) == 5);
	CHECK(recv(pair[0], buffer, sizeof(buffer), 0) == 6);
	CHECK(pthread_join(t, NULL) == 0);
	CHECK(close(pair[0]) == 0 && close(pair[1]) == 0);
}

static void *post_event(void *arg)
{
	CHECK(eventfd_write(event, 3) == 0);
	return arg;
}

static void test_waiting(void)
{
	struct epoll_event ready, wanted = {.events = EPOLLIN};
	struct timeval short_time = {0, 1000};
	struct pollfd p;
	eventfd_t value;
	pthread_t t;
	fd_set set;
	int ep;

	event = eventfd(0, 0);
	CHECK(event >= 0);
	p = (struct pollfd){event, POLLIN, 0};
	CHECK(poll(&p, 1, 0) == 0);
	CHECK(poll(&p, 1, 1) == 0);
	FD_ZERO(&set);
	FD_SET(event, &set);
	CHECK(select(event + 1, &set, NULL, NULL, &short_time) == 0);
	CHECK(!FD_ISSET(event, &set));
	ep = epoll_create1(0);
	wanted.data.fd = event;
	CHECK(ep >= 0 && epoll_ctl(ep, EPOLL_CTL_ADD, event, &wanted) == 0);
	CHECK(epoll_wait(ep, &ready, 1, 1) == 0);

	CHECK(pthread_create(&t, NULL, post_event, NULL) == 0);
	CHECK(poll(&p, 1, -1) == 1 && p.revents == POLLIN);
	FD_SET(event, &set);
	CHECK(select(event + 1, &set, NULL, NULL, NULL) == 1 && FD_ISSET(event, &set));
	CHECK(epoll_wait(ep, &ready, 1, -1) == 1 && ready.data.fd == event);
	CHECK(eventfd_read(event, &value) == 0 && value == 3);
	CHECK(pthread_join(t, NULL) == 0);
	CHECK(close(ep) == 0 && close(event) == 0);
}

static struct sockaddr_un address = {.sun_family = AF_UNIX};

static void *call_in(void *arg)
{
	int fd = socket(AF_UNIX, SOCK_STREAM, 0);

	CHECK(fd >= 0);
	CHECK(connect(fd, (struct sockaddr *)&address, sizeof(address)) == 0);
	CHECK(write(fd, "x", 1) == 1);
	CHECK(close(fd) == 0);
	return arg;
}

static void test_accept(void)
{
	pthread_t t;
	char c;
	int fd;

	/* A name without a file: the first byte is 0.  As long in every run, whoever the parent is. */
	snprintf(address.sun_path + 1, sizeof(address.sun_path) - 1, "heddle-io-%010d-%ld",
		 (int)getppid(), (long)&c);
	listener = socket(AF_UNIX, SOCK_STREAM, 0);
	CHECK(listener >= 0);
	CHECK(bind(listener, (struct sockaddr *)&address, sizeof(address)) == 0);
	CHECK(listen(listener, 4) == 0);
	CHECK(pthread_create(&t, NULL, call_in, NULL) == 0);
	fd = accept(listener, NULL, NULL);
	CHECK(fd >= 0);
	CHECK(read(fd, &c, 1) == 1 && c == 'x');
	CHECK(read(fd, &c, 1) == 0);
	CHECK(pthread_join(t, NULL) == 0);
	CHECK(close(fd) == 0 && close(listener) == 0);
}

/* Made before main, so that it is the kernel's. */
static int token[2];
static int in_section;

static __attribute__((constructor)) void make_token(void)
{
	CHECK(pipe(token) == 0);
	CHECK(write(token[1], "t", 1) == 1);
}

/* A byte in a pipe as a lock: all who wait for it could go on, one of them does. */
static void *pass_token(void *arg)
{
	char c;

	for (int i = 0; i < 3; i++) {
		CHECK(read(token[0], &c, 1) == 1);
		CHECK(in_section++ == 0);
		in_section--;
		CHECK(write(token[1], &c, 1) == 1);
	}
	return arg;
}

static void test_token(void)
{
	pthread_t t[3];

	for (int i = 0; i < 3; i++)
		CHECK(pthread_create(&t[i], NULL, pass_token, NULL) == 0);
	for (int i = 0; i < 3; i++)
		CHECK(pthread_join(t[i], NULL) == 0);
}

int main(void)
{
	test_pipe();
	test_sockets();
	test_waiting();
	test_accept();
	test_token();
	SUCCESS();
	return 0;
}
