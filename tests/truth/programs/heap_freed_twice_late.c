/*
 * Two threads may give back the same block, each after a word of a thread of its own.  No execution
 * that shows something new has both; nothing else ever touches the block.
 *
 * expect: 1
 * match: double free
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int words[2];
static void *block;

static void *frees(void *arg)
{
	if (words[arg != NULL])
		free(block);
	return arg;
}

static void *says(void *arg)
{
	words[arg != NULL] = 1;
	return arg;
}

int main(void)
{
	pthread_t t[4];

	block = malloc(8);
	pthread_create(&t[0], NULL, frees, NULL);
	pthread_create(&t[1], NULL, frees, &block);
	pthread_create(&t[2], NULL, says, NULL);
	pthread_create(&t[3], NULL, says, &block);
	for (int i = 0; i < 4; i++)
		pthread_join(t[i], NULL);
	return 0;
}
