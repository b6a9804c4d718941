/* A frame-parallel encoder: main hands one job to each worker by condition variable, then waits. */
#include "bench.h"

static struct worker {
	pthread_t os;
	pthread_mutex_t mu;
	pthread_cond_t cv;
	int state; /* 0 idle, 1 job, 2 stop */
	uint64_t value;
} worker[64];

static void *work(void *argument)
{
	struct worker *w = &worker[(intptr_t)argument];
	for (;;) {
		pthread_mutex_lock(&w->mu);
		while (w->state == 0)
			pthread_cond_wait(&w->cv, &w->mu);
		int stop = w->state == 2;
		pthread_mutex_unlock(&w->mu);
		if (stop)
			return NULL;
		soba_wait();
		w->value = bench_work(w->value, 600000);
		pthread_mutex_lock(&w->mu);
		w->state = 0;
		pthread_cond_signal(&w->cv);
		pthread_mutex_unlock(&w->mu);
	}
}

static void give(struct worker *w, int state)
{
	pthread_mutex_lock(&w->mu);
	while (w->state != 0)
		pthread_cond_wait(&w->cv, &w->mu);
	w->state = state;
	pthread_cond_signal(&w->cv);
	pthread_mutex_unlock(&w->mu);
}

int main(int argc, char **argv)
{
	int threads = bench_arg(argc, argv, 1, 2), frames = bench_arg(argc, argv, 2, 1000);
	uint64_t sum = 0;
	soba_init(threads);
	for (intptr_t i = 0; i < threads; i++) {
		worker[i].value = (uint64_t)i;
		pthread_mutex_init(&worker[i].mu, NULL);
		pthread_cond_init(&worker[i].cv, NULL);
		bench_spawn(&worker[i].os, work, i);
	}
	for (int f = 0; f < frames; f++)
		give(&worker[f % threads], 1);
	for (int i = 0; i < threads; i++)
		give(&worker[i], 2);
	for (int i = 0; i < threads; i++) {
		pthread_join(worker[i].os, NULL);
		sum ^= worker[i].value;
	}
	printf("%016llx\n", (unsigned long long)sum);
	return 0;
}
