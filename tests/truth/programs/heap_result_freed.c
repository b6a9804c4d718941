/*
 * The result of a thread is stored in a block that another one may have freed.
 *
 * expect: 1
 * match: after free
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static _Atomic(void **) room;

static void *ends(void *arg)
{
	return arg;
}

static void *frees(void *arg)
{
	free(atomic_exchange(&room, NULL));
	return arg;
}

int main(void)
{
	void **result = malloc(sizeof(*result));
	pthread_t a, b;

	atomic_store(&room, result);
	pthread_create(&a, NULL, ends, NULL);
	pthread_create(&b, NULL, frees, NULL);
	pthread_join(a, result);
	pthread_join(b, NULL);
	return 0;
}
