/*
 * expect: 1
 * drawn
 *
 * A store past the caches is a store.
 */
#include <assert.h>
#include <emmintrin.h>
#include <pthread.h>

static __m128i cell;

static void *thread(void *arg)
{
	_mm_stream_si128(&cell, _mm_set1_epi32(3));
	_mm_sfence();
	return arg;
}

int main(void)
{
	pthread_t t;

	pthread_create(&t, NULL, thread, NULL);
	assert(_mm_cvtsi128_si32(_mm_load_si128(&cell)) == 0);
	pthread_join(t, NULL);
	return 0;
}
