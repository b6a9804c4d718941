/*
 * Copies of a descriptor: the pipe ends when the last of them is closed.
 * expect: 0
 */
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <unistd.h>

static int ends[2];

static void *leave(void *arg)
{
	int *fd = arg;

	assert(write(*fd, "x", 1) == 1);
	assert(close(*fd) == 0);
	return arg;
}

int main(void)
{
	pthread_t t, u;
	int copy, sum = 0;
	char c[4];
	ssize_t n;

	assert(pipe(ends) == 0);
	copy = fcntl(ends[1], F_DUPFD_CLOEXEC, 50);
	assert(copy == 50 && (fcntl(copy, F_GETFD) & FD_CLOEXEC));
	pthread_create(&t, NULL, leave, &ends[1]);
	pthread_create(&u, NULL, leave, &copy);
	while ((n = read(ends[0], c, sizeof(c))) > 0)
		sum += (int)n;
	assert(n == 0 && sum == 2);
	pthread_join(t, NULL);
	pthread_join(u, NULL);
	return 0;
}
