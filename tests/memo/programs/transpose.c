/* Rounds between barriers, as a fast Fourier transform has them: argv is threads, rounds. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define SIZE 64

static pthread_barrier_t barrier;
static long from[SIZE], to[SIZE];
static int threads, rounds;

static void *worker(void *arg)
{
	long id = (long)arg;

	for (int r = 0; r < rounds; r++) {
		for (long i = id; i < SIZE; i += threads)
			to[i] = from[SIZE - 1 - i] + i;
		pthread_barrier_wait(&barrier);
		usleep(1000);
		for (long i = id; i < SIZE; i += threads)
			from[i] = to[i] ^ r;
		pthread_barrier_wait(&barrier);
	}
	return NULL;
}

int main(int argc, char **argv)
{
	pthread_t t[16];
	long sum = 0;

	if (argc != 3)
		return 2;
	threads = atoi(argv[1]);
	rounds = strtol(argv[2], NULL, 10);
	if (threads < 1 || threads > 16)
		return 2;
	pthread_barrier_init(&barrier, NULL, (unsigned)threads);
	for (long i = 1; i < threads; i++)
		pthread_create(&t[i], NULL, worker, (void *)i);
	worker(NULL);
	for (int i = 1; i < threads; i++)
		pthread_join(t[i], NULL);
	for (int i = 0; i < SIZE; i++)
		sum = sum * 3 + from[i];
	printf("%ld\n", sum);
	return 0;
}
