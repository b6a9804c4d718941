/*
 * A lock-free stack over a pool, with a version tag beside the index: no ABA.
 * expect: clean
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

#define NONE 0xffffffffu

static struct {
	_Atomic uint32_t next;
	atomic_int owned;
} pool[3];
static _Atomic uint64_t top; /* version << 32 | index */

static uint32_t take(void)
{
	uint64_t t = atomic_load(&top);
	uint32_t n;

	do {
		n = (uint32_t)t;
		if (n == NONE)
			return NONE;
	} while (!atomic_compare_exchange_strong(
		&top, &t, ((t >> 32) + 1) << 32 | atomic_load(&pool[n].next)));
	assert(atomic_exchange(&pool[n].owned, 1) == 0);
	return n;
}

static void give(uint32_t n)
{
	uint64_t t = atomic_load(&top);

	atomic_store(&pool[n].owned, 0);
	do
		atomic_store(&pool[n].next, (uint32_t)t);
	while (!atomic_compare_exchange_strong(&top, &t, ((t >> 32) + 1) << 32 | n));
}

static void *churn(void *arg)
{
	uint32_t a = take(), b = take();

	if (a != NONE)
		give(a);
	if (b != NONE)
		give(b);
	return arg;
}

int main(void)
{
	pthread_t a, b;

	for (uint32_t i = 0; i < 3; i++)
		atomic_store(&pool[i].next, i + 1 < 3 ? i + 1 : NONE);
	pthread_create(&a, NULL, churn, NULL);
	pthread_create(&b, NULL, churn, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
