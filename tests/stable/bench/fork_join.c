/* Fork-join over array chunks, threads created for each phase (Phoenix with pthreads, STL). */
#include "bench.h"

#define CELLS (1 << 18)

static uint64_t data[CELLS];
static int threads, phase;

static void *work(void *argument)
{
	intptr_t me = (intptr_t)argument;
	soba_wait();
	for (int i = (int)me; i < CELLS; i += threads)
		data[i] = bench_work(data[i] + (uint64_t)phase, 24);
	return NULL;
}

int main(int argc, char **argv)
{
	pthread_t t[64];
	uint64_t sum = 0;
	threads = bench_arg(argc, argv, 1, 2);
	int phases = bench_arg(argc, argv, 2, 40);
	soba_init(threads);
	for (phase = 0; phase < phases; phase++) {
		for (intptr_t i = 0; i < threads; i++)
			bench_spawn(&t[i], work, i);
		for (int i = 0; i < threads; i++)
			pthread_join(t[i], NULL);
	}
	for (int i = 0; i < CELLS; i++)
		sum ^= data[i];
	printf("%016llx\n", (unsigned long long)sum);
	return 0;
}
