/*
 * A small thread pool that checksums lines, and waits until all of them are done.
 *
 * It works thousands of times in a row, and then it hangs.  See `make demo', or:
 *	heddle cc -g -O2 -pthread -o spool spool.c
 *	heddle check ./spool
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#define WORKERS 2
#define LINES 3

struct spool {
	pthread_mutex_t lock;
	pthread_cond_t more;	/* a line was added, or the spool was closed */
	pthread_cond_t drained; /* the last pending line is done */
	const char *lines[LINES];
	int added, taken, closed;
	atomic_int pending;
	unsigned sum;
};

static struct spool spool = {.lock = PTHREAD_MUTEX_INITIALIZER,
			     .more = PTHREAD_COND_INITIALIZER,
			     .drained = PTHREAD_COND_INITIALIZER};

static void spool_add(struct spool *s, const char *line)
{
	pthread_mutex_lock(&s->lock);
	s->lines[s->added++] = line;
	atomic_fetch_add(&s->pending, 1);
	pthread_cond_signal(&s->more);
	pthread_mutex_unlock(&s->lock);
}

static const char *spool_take(struct spool *s)
{
	const char *line = NULL;

	pthread_mutex_lock(&s->lock);
	while (s->taken == s->added && !s->closed)
		pthread_cond_wait(&s->more, &s->lock);
	if (s->taken < s->added)
		line = s->lines[s->taken++];
	pthread_mutex_unlock(&s->lock);
	return line;
}

static void *worker(void *arg)
{
	struct spool *s = arg;
	const char *line;

	while ((line = spool_take(s)) != NULL) {
		unsigned sum = 0;

		for (size_t i = 0; i < strlen(line); i++)
			sum = sum * 31 + (unsigned char)line[i];
		pthread_mutex_lock(&s->lock);
		s->sum += sum;
		pthread_mutex_unlock(&s->lock);
		if (atomic_fetch_sub(&s->pending, 1) == 1)
			pthread_cond_signal(&s->drained);
	}
	return NULL;
}

static void spool_drain(struct spool *s)
{
	pthread_mutex_lock(&s->lock);
	while (atomic_load(&s->pending) > 0)
		pthread_cond_wait(&s->drained, &s->lock);
	s->closed = 1;
	pthread_cond_broadcast(&s->more);
	pthread_mutex_unlock(&s->lock);
}

int main(void)
{
	static const char *const text[LINES] = {"warp", "weft", "heddle"};
	pthread_t threads[WORKERS];

	for (int i = 0; i < WORKERS; i++)
		pthread_create(&threads[i], NULL, worker, &spool);
	for (int i = 0; i < LINES; i++)
		spool_add(&spool, text[i]);
	spool_drain(&spool);
	for (int i = 0; i < WORKERS; i++)
		pthread_join(threads[i], NULL);
	printf("checksum %08x\n", spool.sum);
	return 0;
}
