/*
 * Blocks in a queue are given back by whoever takes them, each once.
 *
 * expect: 0
 */
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static void *queue[3];
static int count;

static void *frees(void *arg)
{
	for (int i = 0; i < 2; i++) {
		void *block = NULL;

		pthread_mutex_lock(&lock);
		if (count)
			block = queue[--count];
		pthread_mutex_unlock(&lock);
		free(block);
	}
	return arg;
}

int main(void)
{
	pthread_t a, b;

	while (count < 3)
		queue[count++] = malloc(5);
	pthread_create(&a, NULL, frees, NULL);
	pthread_create(&b, NULL, frees, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return count;
}
