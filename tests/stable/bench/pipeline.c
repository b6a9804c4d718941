/* Three stages with bounded queues (dedup, ferret): the middle one is heavy and has all threads. */
#include "bench.h"

#define ROOM 16

struct queue {
	uint64_t item[ROOM];
	int head, count, closed;
	pthread_mutex_t mu;
	pthread_cond_t not_empty, not_full;
};

#define QUEUE_INIT                                                                                 \
	{                                                                                          \
		.mu = PTHREAD_MUTEX_INITIALIZER, .not_empty = PTHREAD_COND_INITIALIZER,            \
		.not_full = PTHREAD_COND_INITIALIZER                                               \
	}

static struct queue first = QUEUE_INIT, second = QUEUE_INIT;
static int threads, items;
static uint64_t result;

static void put(struct queue *q, uint64_t item)
{
	pthread_mutex_lock(&q->mu);
	while (q->count == ROOM)
		pthread_cond_wait(&q->not_full, &q->mu);
	q->item[(q->head + q->count++) % ROOM] = item;
	pthread_cond_signal(&q->not_empty);
	pthread_mutex_unlock(&q->mu);
}

static int get(struct queue *q, uint64_t *item)
{
	pthread_mutex_lock(&q->mu);
	while (q->count == 0 && !q->closed)
		pthread_cond_wait(&q->not_empty, &q->mu);
	int got = q->count > 0;
	if (got) {
		*item = q->item[q->head];
		q->head = (q->head + 1) % ROOM;
		q->count--;
		pthread_cond_signal(&q->not_full);
	}
	pthread_mutex_unlock(&q->mu);
	return got;
}

static void shut(struct queue *q)
{
	pthread_mutex_lock(&q->mu);
	q->closed = 1;
	pthread_cond_broadcast(&q->not_empty);
	pthread_mutex_unlock(&q->mu);
}

static void *heavy(void *unused)
{
	uint64_t item;
	(void)unused;
	while (get(&first, &item)) {
		soba_wait();
		put(&second, bench_work(item, 400000));
	}
	return NULL;
}

static void *last(void *unused)
{
	uint64_t item;
	(void)unused;
	while (get(&second, &item))
		result ^= item;
	return NULL;
}

int main(int argc, char **argv)
{
	pthread_t t[64], end;
	threads = bench_arg(argc, argv, 1, 2);
	items = bench_arg(argc, argv, 2, 1600);
	soba_init(threads);
	for (intptr_t i = 0; i < threads; i++)
		bench_spawn(&t[i], heavy, i);
	bench_spawn(&end, last, 0);
	for (int i = 0; i < items; i++)
		put(&first, bench_work((uint64_t)i, 2000));
	shut(&first);
	for (int i = 0; i < threads; i++)
		pthread_join(t[i], NULL);
	shut(&second);
	pthread_join(end, NULL);
	printf("%016llx\n", (unsigned long long)result);
	return 0;
}
