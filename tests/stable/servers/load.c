/*
 * A client that puts load on a key-value server and looks at every answer.
 *
 * Arguments: redis or memcached, port, connections (a thread each), requests of each connection.
 * Every second request stores a value, the next one reads it back.  Prints requests per second;
 * exit status 1 when an answer is wrong or missing.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/tcp.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#define MAX_CONNECTIONS 256

static int port, requests, redis;

static void give_up(const char *what, int connection, int request)
{
	fprintf(stderr, "connection %d, request %d: %s\n", connection, request, what);
	exit(1);
}

static int dial(int connection)
{
	struct sockaddr_in to = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
	int one = 1, fd = socket(AF_INET, SOCK_STREAM, 0);
	to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	if (fd < 0 || connect(fd, (struct sockaddr *)&to, sizeof(to)) != 0)
		give_up(strerror(errno), connection, 0);
	setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof(one));
	struct timeval limit = {.tv_sec = 30};
	setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof(limit));
	return fd;
}

/* The question in either protocol, and the whole answer that must come back. */
static void compose(char *ask, char *answer, int connection, int request)
{
	int value = request / 2 * 7919 + connection, key = request / 2 % 100;
	char text[16];
	int n = snprintf(text, sizeof(text), "%d", value);
	if (redis && request % 2 == 0) {
		sprintf(ask, "SET k%d.%d %s\r\n", connection, key, text);
		strcpy(answer, "+OK\r\n");
	} else if (redis) {
		sprintf(ask, "GET k%d.%d\r\n", connection, key);
		sprintf(answer, "$%d\r\n%s\r\n", n, text);
	} else if (request % 2 == 0) {
		sprintf(ask, "set k%d.%d 0 0 %d\r\n%s\r\n", connection, key, n, text);
		strcpy(answer, "STORED\r\n");
	} else {
		sprintf(ask, "get k%d.%d\r\n", connection, key);
		sprintf(answer, "VALUE k%d.%d 0 %d\r\n%s\r\nEND\r\n", connection, key, n, text);
	}
}

static void *talk(void *argument)
{
	int connection = (int)(intptr_t)argument, fd = dial(connection);
	char ask[128], answer[128], got[128];
	for (int i = 0; i < requests; i++) {
		compose(ask, answer, connection, i);
		size_t length = strlen(ask), want = strlen(answer), have = 0;
		if (send(fd, ask, length, MSG_NOSIGNAL) != (ssize_t)length)
			give_up("cannot send", connection, i);
		while (have < want) {
			ssize_t n = recv(fd, got + have, want - have, 0);
			if (n <= 0)
				give_up(n == 0 ? "connection closed" : strerror(errno), connection, i);
			have += (size_t)n;
		}
		if (memcmp(got, answer, want) != 0)
			give_up("wrong answer", connection, i);
	}
	close(fd);
	return NULL;
}

static double now(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

int main(int argc, char **argv)
{
	pthread_t t[MAX_CONNECTIONS];
	if (argc != 5)
		return 2;
	redis = strcmp(argv[1], "redis") == 0;
	port = atoi(argv[2]);
	int connections = atoi(argv[3]);
	requests = atoi(argv[4]);
	if (connections < 1 || connections > MAX_CONNECTIONS)
		return 2;
	double start = now();
	for (intptr_t i = 0; i < connections; i++) {
		if (pthread_create(&t[i], NULL, talk, (void *)i) != 0)
			return 3;
	}
	for (int i = 0; i < connections; i++)
		pthread_join(t[i], NULL);
	printf("%.0f\n", connections * (double)requests / (now() - start));
	return 0;
}
