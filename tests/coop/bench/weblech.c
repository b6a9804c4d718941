/* Spiders take addresses from a queue: checked under the lock, removed under another hold of it. */
#include <assert.h>

#include "bench.h"

#define MOST 200000

static int queue[MOST], queued, taken, rounds;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static int is_empty(void)
{
	int queued_left;

	pthread_mutex_lock(&lock);
	queued_left = queued;
	pthread_mutex_unlock(&lock);
	if (queued_left == 1)
		rest(1);
	return queued_left <= 0;
}

static void *spider(void *arg)
{
	while (!is_empty()) {
		pthread_mutex_lock(&lock);
		assert(queued > 0);
		taken += queue[--queued] > 0;
		pthread_mutex_unlock(&lock);
		rest(1);
	}
	return arg;
}

int main(int argc, char **argv)
{
	rounds = bench_size(argc, argv, 8);
	rounds = rounds > MOST ? MOST : rounds;
	for (int i = 0; i < rounds; i++)
		queue[queued++] = i + 1;
	bench_run(2, (void *(*const[])(void *)){spider, spider});
	return taken != rounds;
}
