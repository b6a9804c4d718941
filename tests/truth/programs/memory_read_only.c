/*
 * A thread writes to a string constant.
 *
 * expect: 1
 * match: fatal signal SIGSEGV at memory_read_only.c:12
 * drawn
 */
#include <pthread.h>

static void *thread(void *arg)
{
	*(volatile char *)arg = 'T';
	return NULL;
}

int main(void)
{
	pthread_t t;

	pthread_create(&t, NULL, thread, (void *)"text");
	pthread_join(t, NULL);
	return 0;
}
