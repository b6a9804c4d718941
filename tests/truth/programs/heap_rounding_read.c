/*
 * The padding behind a block is not to be read either: a word that begins in the block.
 *
 * expect: 1
 * match: read of 8 bytes beyond the end of a block of 20
 */
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>

static void *worker(void *arg)
{
	volatile uint64_t *words = arg;

	return (void *)(uintptr_t)(words[2] & 0);
}

int main(void)
{
	pthread_t t;
	void *words = calloc(5, 4);

	pthread_create(&t, NULL, worker, words);
	pthread_join(t, NULL);
	free(words);
	return 0;
}
