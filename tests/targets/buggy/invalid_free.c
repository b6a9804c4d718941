/*
 * Bug: free gets a pointer into the middle of a block.
 * Cause: the parser moves the shared cursor while the owner takes it for the start of the block.
 * expect: invalid-free
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static char *_Atomic cursor;

static void *parser(void *arg)
{
	char *start = atomic_load(&cursor);

	atomic_store(&cursor, start + 1);
	atomic_store(&cursor, start);
	return arg;
}

static void *owner(void *arg)
{
	char **slot = arg;

	*slot = atomic_load(&cursor);
	return NULL;
}

int main(void)
{
	pthread_t p, o;
	char *last = NULL;

	atomic_store(&cursor, malloc(64));
	pthread_create(&p, NULL, parser, NULL);
	pthread_create(&o, NULL, owner, &last);
	pthread_join(p, NULL);
	pthread_join(o, NULL);
	free(last);
	return 0;
}
