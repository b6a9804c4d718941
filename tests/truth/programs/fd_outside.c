/*
 * A socket that the program connects to itself: the kernel's, and not modelled.
 * expect: 4
 * match: read on descriptor [0-9]+, a socket from outside
 */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

static int fd;

static void *put(void *arg)
{
	assert(write(fd, "x", 1) == 1);
	return arg;
}

int main(void)
{
	struct sockaddr_un address = {.sun_family = AF_UNIX};
	socklen_t n = offsetof(struct sockaddr_un, sun_path);
	pthread_t t;
	char c;

	fd = socket(AF_UNIX, SOCK_DGRAM, 0);
	assert(bind(fd, (struct sockaddr *)&address, n) == 0); /* the kernel finds a name */
	n = sizeof(address);
	assert(getsockname(fd, (struct sockaddr *)&address, &n) == 0);
	assert(connect(fd, (struct sockaddr *)&address, n) == 0);
	pthread_create(&t, NULL, put, NULL);
	recv(fd, &c, 1, MSG_DONTWAIT);
	pthread_join(t, NULL);
	return 0;
}
