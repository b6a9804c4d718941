/*
 * A vector of blocks, free or allocated; each thread allocates two and frees them.
 * Bug: a block is allocated twice.
 * Cause: finding a free block and marking it are two critical sections.
 * expect: assert
 * found: --strategy=random --runs=1000
 */
#include "../bench.h"

#ifndef BLOCKS
#define BLOCKS 8
#endif
#define EACH 2

static char blocks[BLOCKS];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static int find_free(void)
{
	int found = -1;

	pthread_mutex_lock(&lock);
	for (int i = 0; i < BLOCKS && found < 0; i++)
		if (blocks[i] == 'F')
			found = i;
	pthread_mutex_unlock(&lock);
	return found;
}

static void mark(int block, char from, char to)
{
	pthread_mutex_lock(&lock);
	assert(blocks[block] == from);
	blocks[block] = to;
	pthread_mutex_unlock(&lock);
}

static void *user(void *arg)
{
	int mine[EACH];

	for (int i = 0; i < EACH; i++) {
		mine[i] = find_free();
		mark(mine[i], 'F', 'A');
	}
	for (int i = 0; i < EACH; i++)
		mark(mine[i], 'A', 'F');
	return arg;
}

int main(void)
{
	for (int i = 0; i < BLOCKS; i++)
		blocks[i] = 'F';
	start(user, 0);
	start(user, 1);
	join_all();
	return 0;
}
