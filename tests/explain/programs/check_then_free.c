/* The second one to free has looked before the first one was done. */
#include <pthread.h>
#include <stdlib.h>

static void *buffer;

static void *drop(void *arg)
{
	if (buffer) {
		free(buffer);
		buffer = NULL;
	}
	return arg;
}

int main(void)
{
	pthread_t a, b;

	buffer = malloc(10);
	pthread_create(&a, NULL, drop, NULL);
	pthread_create(&b, NULL, drop, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
