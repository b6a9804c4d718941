/*
 * A wait that is over at once, three times: the second is not a round of the first in which nothing
 * has changed.
 *
 * expect: 0
 * match: all 1 behaviour
 * drawn
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

static atomic_int flag = 1;
static int total;

static void *waiter(void *arg)
{
	int rounds = 0;

	for (int i = 0; i < 3; i++) {
		bool done = false;

		while (!done)
			done = atomic_load(&flag);
		rounds++;
	}
	total = rounds;
	return arg;
}

static void *setter(void *arg)
{
	atomic_store(&flag, 1);
	return arg;
}

int main(void)
{
	pthread_t t, u;

	pthread_create(&t, NULL, waiter, NULL);
	pthread_create(&u, NULL, setter, NULL);
	pthread_join(t, NULL);
	pthread_join(u, NULL);
	assert(total == 3);
	return 0;
}
