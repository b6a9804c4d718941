/* OpenMP loops with static and dynamic schedules, a reduction and a critical section (NPB). */
#include "bench.h"

#define CELLS (1 << 15)

static uint64_t data[CELLS];

int main(int argc, char **argv)
{
	int threads = bench_arg(argc, argv, 1, 2), phases = bench_arg(argc, argv, 2, 300);
	uint64_t sum = 0, last = 0;
	for (int p = 0; p < phases; p++) {
#pragma omp parallel num_threads(threads)
		{
#pragma omp for reduction(^ : sum)
			for (int i = 0; i < CELLS; i++)
				sum ^= data[i] = bench_work(data[i] + (uint64_t)p, 16);
#pragma omp for schedule(dynamic, 1024)
			for (int i = 0; i < CELLS; i++)
				data[i] = bench_work(data[i], 4);
#pragma omp critical
			last += data[p];
		}
	}
	printf("%016llx\n", (unsigned long long)(sum ^ last));
	return 0;
}
