/*
 * A number is read as far as it goes: behind it may be the end of a block.
 *
 * expect: 0
 */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static void *parser(void *arg)
{
	char *packed = malloc(3);

	memcpy(packed, "42k", 3);
	assert(atoi(packed) == 42 && strtol(packed, NULL, 10) == 42);
	free(packed);
	return arg;
}

int main(void)
{
	pthread_t t;

	pthread_create(&t, NULL, parser, NULL);
	parser(NULL);
	pthread_join(t, NULL);
	return 0;
}
