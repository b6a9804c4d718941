/*
 * Compute-heavy work on heap memory, for the cost of a check-flavour binary without heddle around
 * it: a matrix product, a sieve, a hash over a buffer, sorting.  One kernel per run: its name is the
 * argument; prints a checksum.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint64_t matrix(void)
{
	enum { N = 700 };
	double *a = malloc(sizeof(double) * N * N), *b = malloc(sizeof(double) * N * N);
	double *c = calloc(N * N, sizeof(double));
	double sum = 0;

	for (int i = 0; i < N * N; i++) {
		a[i] = i % 7;
		b[i] = i % 5;
	}
	for (int i = 0; i < N; i++)
		for (int k = 0; k < N; k++)
			for (int j = 0; j < N; j++)
				c[i * N + j] += a[i * N + k] * b[k * N + j];
	for (int i = 0; i < N * N; i++)
		sum += c[i];
	free(a);
	free(b);
	free(c);
	return (uint64_t)sum;
}

static uint64_t sieve(void)
{
	enum { N = 20000000 };
	char *composite = calloc(N, 1);
	uint64_t count = 0;

	for (uint64_t i = 2; i < N; i++) {
		if (composite[i])
			continue;
		count++;
		for (uint64_t j = i * i; j < N; j += i)
			composite[j] = 1;
	}
	free(composite);
	return count;
}

static uint64_t hash(void)
{
	enum { N = 1 << 20 };
	uint32_t *words = malloc(sizeof(*words) * N);
	uint32_t h = 2166136261u;

	for (uint32_t i = 0; i < N; i++)
		words[i] = i * 2654435761u;
	for (int round = 0; round < 100; round++)
		for (uint32_t i = 0; i < N; i++)
			h = (h ^ words[i]) * 16777619u;
	free(words);
	return h;
}

static void quicksort(uint32_t *v, long low, long high)
{
	while (low < high) {
		uint32_t pivot = v[(low + high) / 2];
		long i = low, j = high;

		while (i <= j) {
			while (v[i] < pivot)
				i++;
			while (v[j] > pivot)
				j--;
			if (i <= j) {
				uint32_t t = v[i];

				v[i++] = v[j];
				v[j--] = t;
			}
		}
		quicksort(v, low, j);
		low = i;
	}
}

static uint64_t sort(void)
{
	enum { N = 2000000 };
	uint32_t *v = malloc(sizeof(*v) * N), x = 1;
	uint64_t sum = 0;

	for (int i = 0; i < N; i++)
		v[i] = x = x * 1664525u + 1013904223u;
	quicksort(v, 0, N - 1);
	for (int i = 0; i < N; i += 1000)
		sum = sum * 31 + v[i];
	free(v);
	return sum;
}

int main(int argc, char **argv)
{
	static const struct {
		const char *name;
		uint64_t (*run)(void);
	} kernels[] = {{"matrix", matrix}, {"sieve", sieve}, {"hash", hash}, {"sort", sort}};

	for (unsigned i = 0; argc == 2 && i < sizeof(kernels) / sizeof(kernels[0]); i++) {
		if (strcmp(argv[1], kernels[i].name) != 0)
			continue;
		printf("%llu\n", (unsigned long long)kernels[i].run());
		return 0;
	}
	fprintf(stderr, "usage: compute matrix|sieve|hash|sort\n");
	return 2;
}
