/*
 * Memory of a file, mapped once: memory like any other.
 * expect: 0
 * cc: -D_GNU_SOURCE
 */
#include <assert.h>
#include <pthread.h>
#include <sys/mman.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int *x;

static void *add(void *arg)
{
	pthread_mutex_lock(&lock);
	++*x;
	pthread_mutex_unlock(&lock);
	return arg;
}

int main(void)
{
	pthread_t t;
	int fd = memfd_create("once", 0);

	assert(ftruncate(fd, 4096) == 0);
	x = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	pthread_create(&t, NULL, add, NULL);
	add(NULL);
	pthread_join(t, NULL);
	assert(*x == 2);
	return 0;
}
