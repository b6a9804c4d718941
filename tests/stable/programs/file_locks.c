/* nondet: waiting for a lock on a file, or for messages, happens outside of the schedule. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "check.h"

static pthread_mutex_t mu = PTHREAD_MUTEX_INITIALIZER;
static char path[] = "locks.XXXXXX";
static int ends[2];

static int open_locked(int command)
{
	struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
	int fd = open(path, O_RDWR);
	EXPECT(fd >= 0 && fcntl(fd, command, &lock) == 0);
	return fd;
}

static void *locks(void *unused)
{
	(void)unused;
	close(open_locked(F_OFD_SETLKW));
	return NULL;
}

static void *receives(void *unused)
{
	char byte;
	struct iovec part = {&byte, 1};
	struct mmsghdr message = {.msg_hdr = {.msg_iov = &part, .msg_iovlen = 1}};
	(void)unused;
	EXPECT(recvmmsg(ends[0], &message, 1, 0, NULL) == 1);
	return NULL;
}

static void *polls(void *unused)
{
	int fd = epoll_create1(0);
	struct epoll_event event = {.events = EPOLLIN}, got;
	(void)unused;
	EXPECT(epoll_ctl(fd, EPOLL_CTL_ADD, ends[0], &event) == 0);
	EXPECT(epoll_pwait2(fd, &got, 1, NULL, NULL) == 1);
	EXPECT(recv(ends[0], &event, 1, 0) == 1);
	close(fd);
	return NULL;
}

/* The number of a file that was read before, and closed as a stream. */
static void *runs(void *unused)
{
	char line[8];
	FILE *file = fopen(path, "r");
	(void)unused;
	EXPECT(file && fgets(line, sizeof(line), file));
	fclose(file);
	file = popen("sleep 1.5; echo x", "r");
	EXPECT(file && fgets(line, sizeof(line), file));
	pclose(file);
	return NULL;
}

static void synchronise(void)
{
	for (int i = 0; i < 200; i++) {
		pthread_mutex_lock(&mu);
		pthread_mutex_unlock(&mu);
		usleep(10);
	}
}

int main(void)
{
	void *(*waits[])(void *) = {locks, receives, polls, runs};
	int file = mkstemp(path);
	EXPECT(file >= 0 && write(file, "x\n", 2) == 2);
	EXPECT(socketpair(AF_UNIX, SOCK_DGRAM, 0, ends) == 0);
	for (int i = 0; i < 4; i++) {
		pthread_t t;
		int held = open_locked(F_OFD_SETLK);
		EXPECT(pthread_create(&t, NULL, waits[i], NULL) == 0);
		synchronise();
		if (i == 1 || i == 2)
			EXPECT(send(ends[1], "x", 1, 0) == 1);
		close(held);
		pthread_join(t, NULL);
	}
	unlink(path);
	return 0;
}
