/*
 * A thread takes memory away that another one uses: not followed, and that is said.
 *
 * expect: 4
 * match: munmap beside other threads
 */
#include <pthread.h>
#include <sys/mman.h>

static char *page;

static void *taker(void *arg)
{
	munmap(page, 4096);
	return arg;
}

int main(void)
{
	pthread_t t;

	page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	pthread_create(&t, NULL, taker, NULL);
	*(volatile char *)page = 1;
	pthread_join(t, NULL);
	return 0;
}
