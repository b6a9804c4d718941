/*
 * Stress test of determinism (after Hill and Xu): 4 threads mix 3 shared words with their own state
 * and write them back without locks, N times each.  The signature depends on every race.
 * Failure: the signature is not the one of the serial run.  usage: racey N
 */
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>

#define THREADS 4

static volatile uint32_t shared[3];
static uint32_t results[THREADS];
static int rounds;

static uint32_t mix(uint32_t a, uint32_t b)
{
	a ^= b * 2654435761u;
	a = a << 13 | a >> 19;
	return a * 5 + 0xe6546b64u;
}

static uint32_t turn(uint32_t state, uint32_t self, int i)
{
	uint32_t from = (self + (uint32_t)i) % 3, to = (self * 2 + (uint32_t)i + 1) % 3;

	state = mix(state, shared[from]);
	shared[to] = mix(shared[to], state);
	return state;
}

static void *work(void *arg)
{
	uint32_t self = (uint32_t)(uintptr_t)arg, state = self + 1;

	for (int i = 0; i < rounds; i++)
		state = turn(state, self, i);
	results[self] = state;
	return NULL;
}

static uint32_t signature(void)
{
	uint32_t s = 0;

	for (int i = 0; i < THREADS; i++)
		s = mix(s, results[i]);
	for (int i = 0; i < 3; i++)
		s = mix(s, shared[i]);
	return s;
}

static uint32_t serial(void)
{
	uint32_t s;

	for (uintptr_t i = 0; i < THREADS; i++)
		work((void *)i);
	s = signature();
	for (int i = 0; i < 3; i++)
		shared[i] = 0;
	return s;
}

int main(int argc, char **argv)
{
	pthread_t threads[THREADS];
	uint32_t normal;

	rounds = argc > 1 ? atoi(argv[1]) : 500;
	normal = serial();
	for (uintptr_t i = 0; i < THREADS; i++)
		pthread_create(&threads[i], NULL, work, (void *)i);
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	assert(signature() == normal);
	return 0;
}
