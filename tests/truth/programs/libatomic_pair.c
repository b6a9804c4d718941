/*
 * expect: 0
 * cc: -latomic
 *
 * An atomic structure of 16 bytes: compare and exchange keeps its halves together, in every behaviour.
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

struct pair {
	long value, version;
};

static _Atomic struct pair shared;

static void *add(void *arg)
{
	struct pair old = atomic_load(&shared), new;

	do {
		new.value = old.value + 5;
		new.version = old.version + 1;
	} while (!atomic_compare_exchange_weak(&shared, &old, new));
	return arg;
}

int main(void)
{
	pthread_t t;
	struct pair p;

	pthread_create(&t, NULL, add, NULL);
	add(NULL);
	pthread_join(t, NULL);
	p = atomic_load(&shared);
	assert(p.value == 10 && p.version == 2);
	return 0;
}
