/*
 * Blocks allocated by one thread and freed by another; realloc and calloc; aligned blocks.
 * expect: clean
 */
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static char *shelf[4];
static int shelved;

static void *maker(void *arg)
{
	for (int i = 0; i < 2; i++) {
		char *block = calloc(1, 24);

		assert(block[23] == 0);
		block = realloc(block, 200);
		assert(block[23] == 0);
		memset(block, 'x', 200);
		pthread_mutex_lock(&lock);
		shelf[shelved++] = block;
		pthread_mutex_unlock(&lock);
	}
	return arg;
}

static void *breaker(void *arg)
{
	void *aligned = NULL;

	pthread_mutex_lock(&lock);
	if (shelved > 0) {
		assert(shelf[shelved - 1][199] == 'x');
		free(shelf[--shelved]);
	}
	pthread_mutex_unlock(&lock);
	assert(posix_memalign(&aligned, 256, 100) == 0 && (uintptr_t)aligned % 256 == 0);
	free(aligned);
	return arg;
}

int main(void)
{
	pthread_t m, b;

	pthread_create(&m, NULL, maker, NULL);
	pthread_create(&b, NULL, breaker, NULL);
	pthread_join(m, NULL);
	pthread_join(b, NULL);
	while (shelved > 0)
		free(shelf[--shelved]);
	return 0;
}
