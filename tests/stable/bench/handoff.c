/* Cost of a turn: N threads take locks of their own, with a little work between.  threads ops work
 */
#include <time.h>

#include "bench.h"

static int ops, work;

static void *run(void *unused)
{
	pthread_mutex_t mine = PTHREAD_MUTEX_INITIALIZER;
	uint64_t state = 1;
	(void)unused;
	for (int i = 0; i < ops; i++) {
		pthread_mutex_lock(&mine);
		state++;
		pthread_mutex_unlock(&mine);
		state = bench_work(state, work);
	}
	return (void *)(intptr_t)(state & 1);
}

int main(int argc, char **argv)
{
	int threads = bench_arg(argc, argv, 1, 2);
	pthread_t t[256];
	struct timespec a, b;
	ops = bench_arg(argc, argv, 2, 100000);
	work = bench_arg(argc, argv, 3, 0);
	clock_gettime(CLOCK_MONOTONIC, &a);
	for (int i = 0; i < threads; i++)
		bench_spawn(&t[i], run, 0);
	for (int i = 0; i < threads; i++)
		pthread_join(t[i], NULL);
	clock_gettime(CLOCK_MONOTONIC, &b);
	double ns = (double)(b.tv_sec - a.tv_sec) * 1e9 + (double)(b.tv_nsec - a.tv_nsec);
	printf("%.1f ns per operation\n", ns / (2.0 * threads * ops));
	return 0;
}
