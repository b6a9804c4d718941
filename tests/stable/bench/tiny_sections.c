/* Tiny critical sections in a tight loop, one lock per cell (fluidanimate, fmm, pfscan's counter).
 */
#include "bench.h"

#define CELLS 256

static struct {
	pthread_mutex_t mu;
	uint64_t value;
	char pad[64];
} cell[CELLS];
static int rounds;

static void *work(void *argument)
{
	uint64_t state = (uint64_t)(intptr_t)argument + 1;
	for (int i = 0; i < rounds; i++) {
		state = bench_work(state, 800);
		int at = (int)(state >> 40) % CELLS;
		pcs_enter();
		pthread_mutex_lock(&cell[at].mu);
		cell[at].value++;
		pthread_mutex_unlock(&cell[at].mu);
		pcs_exit();
	}
	return NULL;
}

int main(int argc, char **argv)
{
	pthread_t t[64];
	uint64_t sum = 0;
	int threads = bench_arg(argc, argv, 1, 2);
	rounds = bench_arg(argc, argv, 2, 400000);
	for (int i = 0; i < CELLS; i++)
		pthread_mutex_init(&cell[i].mu, NULL);
	for (intptr_t i = 0; i < threads; i++)
		bench_spawn(&t[i], work, i);
	for (int i = 0; i < threads; i++)
		pthread_join(t[i], NULL);
	for (int i = 0; i < CELLS; i++)
		sum += cell[i].value;
	printf("%llu\n", (unsigned long long)sum);
	return 0;
}
