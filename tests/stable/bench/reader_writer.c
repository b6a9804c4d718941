/* A directory under a read-write lock: many lookups, some updates (OpenLDAP, Berkeley DB). */
#include "bench.h"

#define CELLS 1024

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static uint64_t table[CELLS];
static int rounds;

static void *work(void *argument)
{
	uint64_t state = (uint64_t)(intptr_t)argument + 1, seen = 0;
	for (int i = 0; i < rounds; i++) {
		state = bench_work(state, 8000);
		int at = (int)(state >> 40) % CELLS;
		if (i % 10 == 0) {
			pthread_rwlock_wrlock(&lock);
			table[at]++;
		} else {
			pthread_rwlock_rdlock(&lock);
			seen += table[at];
		}
		pthread_rwlock_unlock(&lock);
	}
	return (void *)(intptr_t)(seen != 0);
}

int main(int argc, char **argv)
{
	pthread_t t[64];
	uint64_t sum = 0;
	int threads = bench_arg(argc, argv, 1, 2);
	rounds = bench_arg(argc, argv, 2, 60000);
	for (intptr_t i = 0; i < threads; i++)
		bench_spawn(&t[i], work, i);
	for (int i = 0; i < threads; i++)
		pthread_join(t[i], NULL);
	for (int i = 0; i < CELLS; i++)
		sum += table[i];
	printf("%llu\n", (unsigned long long)sum);
	return 0;
}
