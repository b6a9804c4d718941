/*
 * What is waited for is given back meanwhile: the next look is at memory that is gone, although it
 * would find nothing new there.
 *
 * expect: 1
 * match: after free|given back|freed
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int *flag;

static void *waiter(void *arg)
{
	while (!atomic_load(flag))
		;
	return arg;
}

static void *ender(void *arg)
{
	free(flag);
	return arg;
}

int main(void)
{
	pthread_t t, u;

	flag = calloc(1, sizeof(*flag));
	pthread_create(&t, NULL, waiter, NULL);
	pthread_create(&u, NULL, ender, NULL);
	pthread_join(t, NULL);
	pthread_join(u, NULL);
	return 0;
}
