/*
 * What one thread writes to a file another reads: the bytes are there, or not yet.
 * expect: 1
 * match: assertion failed at file_contents.c
 * cc: -D_GNU_SOURCE
 */
#include <assert.h>
#include <pthread.h>
#include <sys/mman.h>
#include <unistd.h>

static int fd;

static void *put(void *arg)
{
	assert(pwrite(fd, "b", 1, 0) == 1);
	return arg;
}

int main(void)
{
	pthread_t t;
	char c;

	fd = memfd_create("contents", 0);
	assert(pwrite(fd, "a", 1, 0) == 1);
	pthread_create(&t, NULL, put, NULL);
	assert(pread(fd, &c, 1, 0) == 1);
	assert(c == 'a');
	pthread_join(t, NULL);
	return 0;
}
