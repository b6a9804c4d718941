/*
 * expect: 4
 * match: gather
 *
 * A gather of the processor's own has no form here: it is named.
 */
#include <immintrin.h>
#include <pthread.h>

static int table[8];
static volatile int sink;

__attribute__((target("avx2"))) static int gather(int n)
{
	__m256i at = _mm256_set1_epi32(n);

	return _mm256_extract_epi32(_mm256_i32gather_epi32(table, at, 4), 3);
}

static void *thread(void *arg)
{
	table[2] = 5;
	return arg;
}

int main(void)
{
	pthread_t t;

	pthread_create(&t, NULL, thread, NULL);
	sink = gather(2);
	pthread_join(t, NULL);
	return 0;
}
