/*
 * The wait keeps what it saw last: rounds are not all the same.
 *
 * expect: 1
 * match: seen != 2
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int flag;

static void *waiter(void *arg)
{
	int seen = 0, now;

	while ((now = atomic_load(&flag)) != 3)
		seen = now;
	assert(seen != 2);
	return arg;
}

static void *setter(void *arg)
{
	for (int i = 1; i <= 3; i++)
		atomic_store(&flag, i);
	return arg;
}

int main(void)
{
	pthread_t t, u;

	pthread_create(&t, NULL, waiter, NULL);
	pthread_create(&u, NULL, setter, NULL);
	pthread_join(t, NULL);
	pthread_join(u, NULL);
	return 0;
}
