/*
 * poll and select over pipes; a time limit may end the wait first.
 * expect: 0
 */
#include <assert.h>
#include <poll.h>
#include <pthread.h>
#include <sys/select.h>
#include <unistd.h>

static int one[2], two[2];

static void *put(void *arg)
{
	assert(write(*(int *)arg, "x", 1) == 1);
	return arg;
}

int main(void)
{
	struct pollfd p[2];
	pthread_t t, u;
	fd_set set;
	char c;
	int n;

	assert(pipe(one) == 0 && pipe(two) == 0);
	p[0] = (struct pollfd){one[0], POLLIN, 0};
	p[1] = (struct pollfd){two[0], POLLIN, 0};
	pthread_create(&t, NULL, put, &one[1]);
	pthread_create(&u, NULL, put, &two[1]);
	n = poll(p, 2, 1000);
	assert(n >= 0 && n <= 2 && (p[0].revents != 0) + (p[1].revents != 0) == n);
	FD_ZERO(&set);
	FD_SET(one[0], &set);
	assert(select(one[0] + 1, &set, NULL, NULL, NULL) == 1 && FD_ISSET(one[0], &set));
	assert(read(one[0], &c, 1) == 1);
	pthread_join(t, NULL);
	pthread_join(u, NULL);
	return 0;
}
