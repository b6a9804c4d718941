/* The size of a block is a difference that some order makes negative.  hunt: found 21 */
#include <pthread.h>
#include <stdlib.h>

static volatile unsigned long head, tail;

static void *writer(void *arg)
{
	tail = 3;
	head = 11;
	return arg;
}

static void *reader(void *arg)
{
	unsigned long n = head - tail;

	if (n > 0) {
		char *copy = malloc(n);

		copy[0] = 1;
		free(copy);
	}
	return arg;
}

int main(void)
{
	pthread_t a, b;

	pthread_create(&a, NULL, writer, NULL);
	pthread_create(&b, NULL, reader, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
