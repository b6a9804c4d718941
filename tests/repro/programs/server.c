/*
 * A small server: two workers take connections from a queue; "add K\n" adds K to an account.
 * Bug: the account is read and written in two steps without a lock.
 * Failure: when all CONNECTIONS have been served, the account is not the sum of what was added.
 * usage: server PORT CONNECTIONS
 */
#include <assert.h>
#include <netinet/in.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#define WORKERS 2
#define QUEUE 256

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t filled = PTHREAD_COND_INITIALIZER;
static int queue[QUEUE], head, tail, closed;
static long account; /* not under the lock */
static long added;   /* atomic: what it should be */

static void serve(int fd)
{
	char request[64];
	ssize_t n = read(fd, request, sizeof(request) - 1);
	long amount;

	request[n > 0 ? n : 0] = '\0';
	if (sscanf(request, "add %ld", &amount) == 1) {
		long before = account;

		sched_yield();
		account = before + amount;
		__atomic_fetch_add(&added, amount, __ATOMIC_SEQ_CST);
		if (write(fd, "ok\n", 3) != 3)
			perror("write");
	}
	close(fd);
}

static void *work(void *arg)
{
	(void)arg;
	for (;;) {
		int fd = -1;

		pthread_mutex_lock(&lock);
		while (head == tail && !closed)
			pthread_cond_wait(&filled, &lock);
		if (head < tail)
			fd = queue[head++ % QUEUE];
		pthread_mutex_unlock(&lock);
		if (fd < 0)
			return NULL;
		serve(fd);
	}
}

static int listen_on(int port)
{
	struct sockaddr_in at = {.sin_family = AF_INET, .sin_port = htons((unsigned short)port)};
	int fd = socket(AF_INET, SOCK_STREAM, 0), on = 1;

	setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on));
	at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	if (bind(fd, (struct sockaddr *)&at, sizeof(at)) != 0 || listen(fd, 64) != 0) {
		perror("server");
		exit(2);
	}
	return fd;
}

int main(int argc, char **argv)
{
	pthread_t workers[WORKERS];
	int connections = argc > 2 ? atoi(argv[2]) : 8;
	int from = listen_on(argc > 1 ? atoi(argv[1]) : 7777);

	for (int i = 0; i < WORKERS; i++)
		pthread_create(&workers[i], NULL, work, NULL);
	for (int i = 0; i < connections; i++) {
		int fd = accept(from, NULL, NULL);

		if (fd < 0) {
			perror("accept");
			return 2;
		}
		pthread_mutex_lock(&lock);
		queue[tail++ % QUEUE] = fd;
		pthread_cond_signal(&filled);
		pthread_mutex_unlock(&lock);
	}
	pthread_mutex_lock(&lock);
	closed = 1;
	pthread_cond_broadcast(&filled);
	pthread_mutex_unlock(&lock);
	for (int i = 0; i < WORKERS; i++)
		pthread_join(workers[i], NULL);
	assert(account == added);
	return 0;
}
