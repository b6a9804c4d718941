/*
 * expect: 1
 * drawn
 *
 * A masked store is an access of the elements that the mask has.
 */
#include <assert.h>
#include <immintrin.h>
#include <pthread.h>

static int table[8];

__attribute__((target("avx512f,avx512vl"))) static void store(int n)
{
	_mm256_mask_storeu_epi32(table, (__mmask8)n, _mm256_set1_epi32(7));
}

static void *thread(void *arg)
{
	store(0x24);
	return arg;
}

int main(void)
{
	pthread_t t;

	pthread_create(&t, NULL, thread, NULL);
	assert(table[5] == 0);
	pthread_join(t, NULL);
	return 0;
}
