/* Workers take blocks from a free list and give them back; the counter is changed under another
 * lock than the list.  Hardly two runs have the same order of anything. */
#include <assert.h>

#include "bench.h"

#define BLOCKS 8

struct block {
	struct block *next;
	int used;
};
static struct block blocks[BLOCKS], *list;
static int available, rounds;
static pthread_mutex_t taking = PTHREAD_MUTEX_INITIALIZER, giving = PTHREAD_MUTEX_INITIALIZER;

static struct block *take(int slow)
{
	struct block *b;
	int n;

	pthread_mutex_lock(&taking);
	b = list;
	list = b->next;
	b->used = 1;
	n = available;
	if (slow)
		rest(1);
	available = n - 1;
	pthread_mutex_unlock(&taking);
	return b;
}

static void give(struct block *b, int slow)
{
	pthread_mutex_lock(&taking);
	b->used = 0;
	b->next = list;
	list = b;
	pthread_mutex_unlock(&taking);
	if (slow)
		rest(1);
	pthread_mutex_lock(&giving);
	available++;
	pthread_mutex_unlock(&giving);
}

static void *worker(void *arg)
{
	for (int i = 0; i < rounds; i++) {
		struct block *b = take(i == rounds / 2);

		rest(1);
		give(b, i == rounds / 3);
	}
	return arg;
}

int main(int argc, char **argv)
{
	rounds = bench_size(argc, argv, 40);
	for (int i = 0; i < BLOCKS; i++) {
		blocks[i].next = list;
		list = &blocks[i];
		available++;
	}
	bench_run(3, (void *(*const[])(void *)){worker, worker, worker});
	assert(available == BLOCKS);
	return 0;
}
