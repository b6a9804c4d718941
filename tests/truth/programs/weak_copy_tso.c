/*
 * A structure is copied while a store of the same thread is on its way: both threads may miss the
 * other's.
 *
 * expect: 1
 * match: assertion failed
 * options: --model=tso
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

struct words {
	_Atomic int first;
	int rest[6];
};

static struct words x, y, a, b;

static void *one(void *arg)
{
	atomic_store_explicit(&x.first, 1, memory_order_relaxed);
	__builtin_memcpy(&a, &y, sizeof(a));
	return arg;
}

static void *other(void *arg)
{
	atomic_store_explicit(&y.first, 1, memory_order_relaxed);
	__builtin_memcpy(&b, &x, sizeof(b));
	return arg;
}

int main(void)
{
	pthread_t t[2];

	pthread_create(&t[0], NULL, one, NULL);
	pthread_create(&t[1], NULL, other, NULL);
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], NULL);
	assert(a.first || b.first);
	return 0;
}
