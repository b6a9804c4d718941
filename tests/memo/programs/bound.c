/* Each thread fills its part of an array: how large it is decides every address. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static long threads, size;
static double *data, sums[16];
static pthread_barrier_t filled;

static void *work(void *arg)
{
	long i = (long)arg, from = size * i / threads, to = size * (i + 1) / threads;
	double sum = 0;

	for (long k = from; k < to; k++)
		data[k] = (double)k / 2;
	pthread_barrier_wait(&filled);
	for (long k = from; k < to; k++)
		sum += data[size - 1 - k];
	sums[i] = sum;
	return NULL;
}

int main(int argc, char **argv)
{
	pthread_t t[16];
	double sum = 0;

	threads = argc > 2 ? atoi(argv[1]) : 2;
	size = argc > 2 ? atoi(argv[2]) : 10;
	data = calloc((size_t)size, sizeof(*data));
	pthread_barrier_init(&filled, NULL, (unsigned)threads);
	for (long i = 0; i < threads; i++)
		pthread_create(&t[i], NULL, work, (void *)i);
	for (long i = 0; i < threads; i++) {
		pthread_join(t[i], NULL);
		sum += sums[i];
	}
	printf("%g\n", sum);
	return 0;
}
