/*
 * Memory written through /proc/self/mem.
 * expect: 4
 * match: proc.self.mem is opened: memory as a file
 */
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <unistd.h>

static volatile int x;
static int fd;

static void *put(void *arg)
{
	int one = 1;

	assert(pwrite(fd, &one, sizeof(one), (off_t)(uintptr_t)&x) == sizeof(one));
	return arg;
}

int main(void)
{
	pthread_t t;

	fd = open("/proc/self/mem", O_RDWR);
	assert(fd >= 0);
	pthread_create(&t, NULL, put, NULL);
	(void)x;
	pthread_join(t, NULL);
	return 0;
}
