/* A shared work queue of long items, as in pbzip2 or mencoder: soft barrier before the work. */
#include "bench.h"

static pthread_mutex_t mu = PTHREAD_MUTEX_INITIALIZER;
static int next, items;
static uint64_t result;

static void *work(void *unused)
{
	uint64_t mine = 0;
	(void)unused;
	for (;;) {
		pthread_mutex_lock(&mu);
		int item = next < items ? next++ : -1;
		pthread_mutex_unlock(&mu);
		if (item < 0)
			break;
		soba_wait();
		mine ^= bench_work((uint64_t)item, 1500000);
	}
	pthread_mutex_lock(&mu);
	result ^= mine;
	pthread_mutex_unlock(&mu);
	return NULL;
}

int main(int argc, char **argv)
{
	pthread_t t[64];
	int threads = bench_arg(argc, argv, 1, 2);
	items = bench_arg(argc, argv, 2, 400);
	soba_init(threads);
	for (intptr_t i = 0; i < threads; i++)
		bench_spawn(&t[i], work, i);
	for (int i = 0; i < threads; i++)
		pthread_join(t[i], NULL);
	printf("%016llx\n", (unsigned long long)result);
	return 0;
}
