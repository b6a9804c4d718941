/* Vector 12.11: racey with each shared access under a lock.  Arguments: threads, rounds. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#define CELLS 64

static pthread_mutex_t mu = PTHREAD_MUTEX_INITIALIZER;
static unsigned cell[CELLS], sig[64];
static int rounds = 1000;

static unsigned mix(unsigned i, unsigned j)
{
	return (unsigned)((i + j * 103995407ul) % 103072243ul);
}

static unsigned get(unsigned at)
{
	pthread_mutex_lock(&mu);
	unsigned value = cell[at];
	pthread_mutex_unlock(&mu);
	return value;
}

static void put(unsigned at, unsigned value)
{
	pthread_mutex_lock(&mu);
	cell[at] = value;
	pthread_mutex_unlock(&mu);
}

static void *work(void *argument)
{
	long t = (long)argument;
	for (int i = 0; i < rounds; i++) {
		unsigned first = sig[t] % CELLS;
		unsigned x = mix(sig[t], get(first));
		unsigned second = x % CELLS;
		x = mix(x, get(second));
		put(second, x);
		sig[t] = x;
	}
	return NULL;
}

int main(int argc, char **argv)
{
	int threads = argc > 1 ? atoi(argv[1]) : 4;
	pthread_t os[64];
	unsigned result = 0;
	rounds = argc > 2 ? atoi(argv[2]) : 1000;
	for (int i = 0; i < CELLS; i++)
		cell[i] = mix((unsigned)i, (unsigned)i);
	for (long i = 0; i < threads; i++) {
		sig[i] = (unsigned)i;
		pthread_create(&os[i], NULL, work, (void *)i);
	}
	for (int i = 0; i < threads; i++)
		pthread_join(os[i], NULL);
	for (int i = 0; i < threads; i++)
		result = mix(result, sig[i]);
	printf("%u\n", result);
	return 0;
}
