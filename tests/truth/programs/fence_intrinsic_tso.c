/*
 * expect: 0
 * options: --model=tso
 *
 * The intrinsic is the fence that the assembly is.
 */
#include <assert.h>
#include <emmintrin.h>
#include <pthread.h>

static int x, y, a, b;

static void *thread(void *arg)
{
	__atomic_store_n(&x, 1, __ATOMIC_RELAXED);
	_mm_mfence();
	a = __atomic_load_n(&y, __ATOMIC_RELAXED);
	return arg;
}

int main(void)
{
	pthread_t t;

	pthread_create(&t, NULL, thread, NULL);
	__atomic_store_n(&y, 1, __ATOMIC_RELAXED);
	_mm_mfence();
	b = __atomic_load_n(&x, __ATOMIC_RELAXED);
	pthread_join(t, NULL);
	assert(a || b);
	return 0;
}
