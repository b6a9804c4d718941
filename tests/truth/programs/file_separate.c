/*
 * pread moves no offset: two threads read the same bytes of one open file in any order.
 * expect: 0
 */
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <string.h>
#include <unistd.h>

static int fd;

static void *get(void *arg)
{
	char got[4];

	assert(pread(fd, got, 4, 0) == 4);
	assert(memcmp(got, "\177ELF", 4) == 0);
	return arg;
}

int main(void)
{
	pthread_t t, u;

	fd = open("/proc/self/exe", O_RDONLY);
	assert(fd >= 0);
	pthread_create(&t, NULL, get, NULL);
	pthread_create(&u, NULL, get, NULL);
	pthread_join(t, NULL);
	pthread_join(u, NULL);
	return 0;
}
