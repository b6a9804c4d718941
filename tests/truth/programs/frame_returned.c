/*
 * A thread that nobody joins writes to a variable of a function that has returned meanwhile.
 *
 * expect: 1
 * match: stack frame that has returned
 */
#include <pthread.h>

static void *worker(void *arg)
{
	*(volatile int *)arg = 1;
	return NULL;
}

__attribute__((noinline)) static pthread_t begin(void)
{
	int local = 0;
	pthread_t t;

	pthread_create(&t, NULL, worker, &local);
	return t;
}

int main(void)
{
	pthread_t t = begin();

	pthread_join(t, NULL);
	return 0;
}
