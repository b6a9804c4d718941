/*
 * Two threads read one open file: who gets which bytes depends on the order.
 * expect: 1
 * match: assertion failed at file_offset.c
 */
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <unistd.h>

static int fd;
static char got[2][4];

static void *get(void *arg)
{
	assert(read(fd, arg, 4) == 4);
	return NULL;
}

int main(void)
{
	pthread_t t, u;

	fd = open("/proc/self/exe", O_RDONLY);
	pthread_create(&t, NULL, get, got[0]);
	pthread_create(&u, NULL, get, got[1]);
	pthread_join(t, NULL);
	pthread_join(u, NULL);
	assert(got[0][1] == 'E' && got[0][2] == 'L');
	return 0;
}
