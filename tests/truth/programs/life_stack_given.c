/*
 * The program frees the stack it gave to a thread: not followed, and that is said.
 *
 * expect: 4
 * match: pthread_attr_setstack
 */
#include <pthread.h>
#include <stdlib.h>

#define BYTES (1 << 18)

static void *worker(void *arg)
{
	return arg;
}

int main(void)
{
	char *stack = aligned_alloc(4096, BYTES);
	pthread_attr_t attr;
	pthread_t t;

	pthread_attr_init(&attr);
	pthread_attr_setstack(&attr, stack, BYTES);
	pthread_create(&t, &attr, worker, NULL);
	free(stack);
	pthread_join(t, NULL);
	return 0;
}
