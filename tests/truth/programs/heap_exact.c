/*
 * Every byte of blocks of odd sizes, from every allocation function, up to their end.
 *
 * expect: 0
 */
#define _GNU_SOURCE
#include <assert.h>
#include <malloc.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static void *worker(void *arg)
{
	char *block[6];
	size_t n = 13 + (size_t)arg;

	block[0] = malloc(n);
	block[1] = calloc(n, 1);
	block[2] = aligned_alloc(64, n);
	assert(posix_memalign((void **)&block[3], 32, n) == 0);
	block[4] = realloc(malloc(3), n);
	block[5] = reallocarray(NULL, n, 1);
	for (int i = 0; i < 6; i++) {
		memset(block[i], i, n);
		block[i][n - 1] = 1;
		assert(malloc_usable_size(block[i]) >= n);
		memset(block[i], 0, malloc_usable_size(block[i]));
		free(block[i]);
	}
	free(malloc(0));
	return NULL;
}

int main(void)
{
	pthread_t t;

	pthread_create(&t, NULL, worker, (void *)1);
	worker((void *)1500);
	pthread_join(t, NULL);
	return 0;
}
