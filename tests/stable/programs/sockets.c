/* nondet: a thread blocks in recv while others go on; pipes, poll and streams. */
#include <poll.h>
#include <pthread.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "check.h"

static pthread_mutex_t mu = PTHREAD_MUTEX_INITIALIZER;
static int pair[2], tube[2], steps;

static void *receive(void *unused)
{
	char text[16];
	(void)unused;
	EXPECT(recv(pair[0], text, sizeof(text), 0) == 5);
	EXPECT(memcmp(text, "hello", 5) == 0);
	pthread_mutex_lock(&mu);
	steps += 1000;
	pthread_mutex_unlock(&mu);
	EXPECT(send(pair[0], "back", 4, 0) == 4);
	return NULL;
}

static void *work(void *unused)
{
	(void)unused;
	for (int i = 0; i < 500; i++) {
		pthread_mutex_lock(&mu);
		steps++;
		pthread_mutex_unlock(&mu);
	}
	return NULL;
}

static void *read_stream(void *unused)
{
	char line[32];
	(void)unused;
	FILE *f = fdopen(tube[0], "r");
	EXPECT(fgets(line, sizeof(line), f) && strcmp(line, "line\n") == 0);
	fclose(f);
	return NULL;
}

int main(void)
{
	pthread_t a, b, c;
	char text[8];
	EXPECT(socketpair(AF_UNIX, SOCK_STREAM, 0, pair) == 0 && pipe(tube) == 0);
	pthread_create(&a, NULL, receive, NULL);
	pthread_create(&b, NULL, work, NULL);
	pthread_create(&c, NULL, read_stream, NULL);
	pthread_join(b, NULL); /* while a and c are still blocked */
	struct pollfd p = {.fd = pair[1], .events = POLLIN};
	EXPECT(poll(&p, 1, 5) == 0);
	EXPECT(write(pair[1], "hello", 5) == 5);
	EXPECT(poll(&p, 1, -1) == 1);
	EXPECT(read(pair[1], text, sizeof(text)) == 4);
	EXPECT(write(tube[1], "line\n", 5) == 5);
	pthread_join(a, NULL);
	pthread_join(c, NULL);
	EXPECT(steps == 1500);
	return 0;
}
