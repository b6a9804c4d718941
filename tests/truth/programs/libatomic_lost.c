/*
 * expect: 1
 * drawn
 * cc: -latomic
 *
 * A load and a store of an atomic structure lose an update between them.
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

struct three {
	int a, b, c;
};

static _Atomic struct three shared;

static void *add(void *arg)
{
	struct three v = atomic_load(&shared);

	v.a++;
	v.c--;
	atomic_store(&shared, v);
	return arg;
}

int main(void)
{
	pthread_t t;
	struct three v;

	pthread_create(&t, NULL, add, NULL);
	add(NULL);
	pthread_join(t, NULL);
	v = atomic_load(&shared);
	assert(v.a == 2 && v.c == -2);
	return 0;
}
