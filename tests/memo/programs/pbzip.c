/* Blocks are read by main and compressed by workers that take them from a list: argv is threads,
 * blocks. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#define BLOCKS 64

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t more = PTHREAD_COND_INITIALIZER;
static int list[BLOCKS], first, last, closed;
static long packed[BLOCKS];

static int get(void)
{
	int block = -1;

	pthread_mutex_lock(&lock);
	while (first == last && !closed)
		pthread_cond_wait(&more, &lock);
	if (first < last)
		block = list[first++];
	pthread_mutex_unlock(&lock);
	return block;
}

static void add(int block)
{
	pthread_mutex_lock(&lock);
	list[last++] = block;
	pthread_cond_signal(&more);
	pthread_mutex_unlock(&lock);
}

static void *worker(void *arg)
{
	int block;

	while ((block = get()) >= 0)
		for (int i = 0; i < 100; i++)
			packed[block] = packed[block] * 31 + block + i;
	return arg;
}

int main(int argc, char **argv)
{
	int threads, blocks;
	pthread_t t[16];
	long sum = 0;

	if (argc != 3)
		return 2;
	threads = atoi(argv[1]);
	blocks = atoi(argv[2]);
	if (threads < 1 || threads > 16 || blocks < 0 || blocks > BLOCKS)
		return 2;
	for (int i = 0; i < threads; i++)
		pthread_create(&t[i], NULL, worker, NULL);
	for (int i = 0; i < blocks; i++)
		add(i);
	pthread_mutex_lock(&lock);
	closed = 1;
	pthread_cond_broadcast(&more);
	pthread_mutex_unlock(&lock);
	for (int i = 0; i < threads; i++)
		pthread_join(t[i], NULL);
	for (int i = 0; i < blocks; i++)
		sum += packed[i];
	printf("%ld\n", sum);
	return 0;
}
