/*
 * Parallel compressor, 5 threads: main hands out blocks, three consumers compress them, one writes.
 * Bug: main frees the queue when the writer has everything, while consumers still look at it.
 * Failure: null pointer or use after free in the consumer.
 */
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>

#ifdef PROVOKE /* as the literature does: a pause where the bug is */
#include <unistd.h>
#define WINDOW() usleep(200)
#else
#define WINDOW() ((void)0)
#endif

#define BLOCKS 4
#define CONSUMERS 3

struct queue {
	pthread_mutex_t *lock;
	pthread_cond_t *filled;
	int blocks[BLOCKS], head, tail, closed;
};

static struct queue *fifo;
static pthread_mutex_t out_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t out_filled = PTHREAD_COND_INITIALIZER;
static int out_sizes[BLOCKS], out_count;

static int compress(int block)
{
	int size = 0;

	for (int i = 0; i < 16; i++)
		size += (block * 31 + i) % 7 ? 1 : 0;
	return size;
}

static void put(int block, int size)
{
	pthread_mutex_lock(&out_lock);
	out_sizes[block] = size;
	out_count++;
	pthread_cond_signal(&out_filled);
	pthread_mutex_unlock(&out_lock);
}

static void *consume(void *arg)
{
	(void)arg;
	for (;;) {
		int block;

		pthread_mutex_lock(fifo->lock);
		while (fifo->head == fifo->tail && !fifo->closed)
			pthread_cond_wait(fifo->filled, fifo->lock);
		if (fifo->head == fifo->tail) {
			pthread_mutex_unlock(fifo->lock);
			return NULL;
		}
		block = fifo->blocks[fifo->head++];
		pthread_mutex_unlock(fifo->lock);
		put(block, compress(block));
		WINDOW();
	}
}

static void *write_out(void *arg)
{
	(void)arg;
	pthread_mutex_lock(&out_lock);
	while (out_count < BLOCKS)
		pthread_cond_wait(&out_filled, &out_lock);
	pthread_mutex_unlock(&out_lock);
	return NULL;
}

static void make_queue(void)
{
	fifo = calloc(1, sizeof(*fifo));
	fifo->lock = malloc(sizeof(*fifo->lock));
	fifo->filled = malloc(sizeof(*fifo->filled));
	pthread_mutex_init(fifo->lock, NULL);
	pthread_cond_init(fifo->filled, NULL);
}

static void delete_queue(void)
{
	free(fifo->lock);
	fifo->lock = NULL;
	free(fifo->filled);
	fifo->filled = NULL;
	free(fifo);
	fifo = NULL;
}

int main(void)
{
	pthread_t consumers[CONSUMERS], writer;

	make_queue();
	for (int i = 0; i < CONSUMERS; i++)
		pthread_create(&consumers[i], NULL, consume, NULL);
	pthread_create(&writer, NULL, write_out, NULL);
	for (int i = 0; i < BLOCKS; i++) {
		pthread_mutex_lock(fifo->lock);
		fifo->blocks[fifo->tail++] = i;
		pthread_cond_signal(fifo->filled);
		pthread_mutex_unlock(fifo->lock);
		sched_yield();
	}
	pthread_mutex_lock(fifo->lock);
	fifo->closed = 1;
	pthread_cond_broadcast(fifo->filled);
	pthread_mutex_unlock(fifo->lock);
	pthread_join(writer, NULL);
	delete_queue(); /* the consumers were not waited for */
	for (int i = 0; i < CONSUMERS; i++)
		pthread_join(consumers[i], NULL);
	return 0;
}
