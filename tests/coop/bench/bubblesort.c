/* Threads sort one array by swapping neighbours; a cell is read and written under the lock, a swap
 * is two such steps, so a value is lost. */
#include <assert.h>

#include "bench.h"

#define MOST 1000

static int cells[MOST], n, passes;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void swap(int i)
{
	int a, b;

	pthread_mutex_lock(&lock);
	a = cells[i];
	b = cells[i + 1];
	pthread_mutex_unlock(&lock);
	if (a <= b)
		return;
	if (i == n / 2)
		rest(1);
	pthread_mutex_lock(&lock);
	cells[i] = b;
	cells[i + 1] = a;
	pthread_mutex_unlock(&lock);
}

/* The two work on parts that overlap in one pair of cells. */
static void *low(void *arg)
{
	rest(3);
	for (int end = n / 2 + 1; end > 0; end--) {
		rest(1);
		for (int i = 0; i < end && i + 1 < n; i++)
			swap(i);
	}
	__atomic_fetch_add(&passes, 1, __ATOMIC_RELAXED);
	return arg;
}

static void *high(void *arg)
{
	for (int begin = n / 2; begin < n; begin++) {
		rest(1);
		for (int i = n - 2; i >= begin; i--)
			swap(i);
	}
	__atomic_fetch_add(&passes, 1, __ATOMIC_RELAXED);
	return arg;
}

int main(int argc, char **argv)
{
	long sum = 0, want = 0;

	n = bench_size(argc, argv, 100);
	n = n > MOST ? MOST : n;
	for (int i = 0; i < n; i++) {
		cells[i] = n - i;
		want += (long)(n - i) * (n - i);
	}
	bench_run(2, (void *(*const[])(void *)){low, high});
	for (int i = 0; i < n; i++)
		sum += (long)cells[i] * cells[i];
	assert(sum == want);
	return 0;
}
