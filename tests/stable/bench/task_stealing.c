/* Task queues with stealing and a lock on each (radiosity, raytrace, volrend). */
#include "bench.h"

static struct {
	pthread_mutex_t mu;
	int count;
	char pad[64];
} queue[64];
static int threads;

static int take(int at)
{
	pthread_mutex_lock(&queue[at].mu);
	int got = queue[at].count > 0;
	queue[at].count -= got;
	pthread_mutex_unlock(&queue[at].mu);
	return got;
}

static void *work(void *argument)
{
	int me = (int)(intptr_t)argument;
	uint64_t state = (uint64_t)me + 1;
	for (;;) {
		int got = 0;
		for (int i = 0; i < threads && !got; i++)
			got = take((me + i) % threads);
		if (!got)
			return (void *)(intptr_t)(state & 1);
		soba_wait();
		state = bench_work(state, 30000 + (int)(state >> 50));
	}
}

int main(int argc, char **argv)
{
	pthread_t t[64];
	threads = bench_arg(argc, argv, 1, 2);
	int tasks = bench_arg(argc, argv, 2, 16000);
	soba_init(threads);
	for (int i = 0; i < threads; i++) {
		pthread_mutex_init(&queue[i].mu, NULL);
		queue[i].count = tasks / threads;
	}
	for (intptr_t i = 0; i < threads; i++)
		bench_spawn(&t[i], work, i);
	for (int i = 0; i < threads; i++)
		pthread_join(t[i], NULL);
	puts("done");
	return 0;
}
