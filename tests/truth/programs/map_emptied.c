/*
 * madvise(MADV_DONTNEED) empties memory without a store.
 * expect: 4
 * match: .*madvise
 * cc: -D_GNU_SOURCE
 */
#include <assert.h>
#include <pthread.h>
#include <sys/mman.h>

static volatile int *x;

static void *empty(void *arg)
{
	madvise((void *)x, 4096, MADV_DONTNEED);
	return arg;
}

int main(void)
{
	pthread_t t;

	x = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	*x = 1;
	pthread_create(&t, NULL, empty, NULL);
	(void)*x;
	pthread_join(t, NULL);
	return 0;
}
