/*
 * Question and answer over a socket pair, then an orderly end.
 * expect: 0
 */
#include <assert.h>
#include <pthread.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

static int pair[2];

static void *serve(void *arg)
{
	char question[2];

	while (recv(pair[1], question, 2, MSG_WAITALL) == 2) {
		question[0]++;
		assert(send(pair[1], question, 2, 0) == 2);
	}
	close(pair[1]);
	return arg;
}

int main(void)
{
	char a = 'x', b = 'y', answer[2];
	struct iovec parts[2] = {{&a, 1}, {&b, 1}};
	pthread_t t;

	assert(socketpair(AF_UNIX, SOCK_STREAM, 0, pair) == 0);
	pthread_create(&t, NULL, serve, NULL);
	for (int i = 0; i < 2; i++) {
		assert(writev(pair[0], parts, 2) == 2);
		assert(recv(pair[0], answer, 2, MSG_WAITALL) == 2);
		assert(answer[0] == 'y' && answer[1] == 'y');
	}
	assert(shutdown(pair[0], SHUT_WR) == 0);
	assert(read(pair[0], answer, 1) == 0);
	pthread_join(t, NULL);
	return 0;
}
