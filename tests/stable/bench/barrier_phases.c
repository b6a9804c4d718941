/* SPMD with barriers and a lock for a global sum in each phase (ocean, lu, fft, water). */
#include "bench.h"

#define CELLS (1 << 15)

static uint64_t data[CELLS], total;
static pthread_barrier_t barrier;
static pthread_mutex_t mu = PTHREAD_MUTEX_INITIALIZER;
static int threads, phases;

static void *work(void *argument)
{
	int me = (int)(intptr_t)argument, chunk = CELLS / threads;
	for (int p = 0; p < phases; p++) {
		uint64_t sum = 0;
		for (int i = me * chunk; i < (me + 1) * chunk; i++)
			sum += data[i] = bench_work(data[i] + (uint64_t)p, 16);
		pthread_mutex_lock(&mu);
		total += sum;
		pthread_mutex_unlock(&mu);
		pthread_barrier_wait(&barrier);
	}
	return NULL;
}

int main(int argc, char **argv)
{
	pthread_t t[64];
	threads = bench_arg(argc, argv, 1, 2);
	phases = bench_arg(argc, argv, 2, 400);
	pthread_barrier_init(&barrier, NULL, (unsigned)threads);
	for (intptr_t i = 1; i < threads; i++)
		bench_spawn(&t[i], work, i);
	work(NULL);
	for (int i = 1; i < threads; i++)
		pthread_join(t[i], NULL);
	printf("%016llx\n", (unsigned long long)total);
	return 0;
}
