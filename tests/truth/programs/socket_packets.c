/*
 * Messages stay whole: two writers of a datagram socket, and a reader that cuts what is too long.
 * expect: 0
 */
#include <assert.h>
#include <pthread.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static int pair[2];

static void *put(void *arg)
{
	assert(send(pair[1], arg, strlen(arg), 0) == (ssize_t)strlen(arg));
	return NULL;
}

int main(void)
{
	pthread_t t, u;
	char got[4];
	int sum = 0;

	assert(socketpair(AF_UNIX, SOCK_DGRAM, 0, pair) == 0);
	pthread_create(&t, NULL, put, "abc");
	pthread_create(&u, NULL, put, "123456");
	for (int i = 0; i < 2; i++)
		sum += (int)read(pair[0], got, sizeof(got));
	assert(sum == 7);
	assert(recv(pair[0], got, 1, MSG_DONTWAIT) == -1);
	pthread_join(t, NULL);
	pthread_join(u, NULL);
	return 0;
}
