/* One wait for a pipe of the program's own and for the world: which of them ends it is not known. */
#include <poll.h>
#include <pthread.h>
#include <unistd.h>

#include "check.h"

static int line[2];

static void *writes(void *unused)
{
	(void)unused;
	EXPECT(write(line[1], "x", 1) == 1);
	return NULL;
}

int main(void)
{
	pthread_t t;
	char c;

	EXPECT(pipe(line) == 0);
	pthread_create(&t, NULL, writes, NULL);
	struct pollfd p[2] = {{.fd = line[0], .events = POLLIN}, {.fd = 0, .events = POLLPRI}};
	EXPECT(poll(p, 2, -1) >= 1);
	EXPECT(read(line[0], &c, 1) == 1);
	pthread_join(t, NULL);
	return 0;
}
