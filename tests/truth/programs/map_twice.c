/*
 * One memory at two addresses: what is stored at one is read at the other.
 * expect: 4
 * match: .*mapped twice.* at map_twice.c
 * cc: -D_GNU_SOURCE
 */
#include <assert.h>
#include <pthread.h>
#include <sys/mman.h>
#include <unistd.h>

static volatile int *one, *two;

static void *put(void *arg)
{
	*one = 1;
	return arg;
}

int main(void)
{
	pthread_t t;
	int fd = memfd_create("twice", 0);

	assert(ftruncate(fd, 4096) == 0);
	one = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	two = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	pthread_create(&t, NULL, put, NULL);
	(void)*two;
	pthread_join(t, NULL);
	return 0;
}
