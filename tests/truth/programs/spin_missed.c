/*
 * The value that is waited for may be there too shortly to be seen.
 *
 * expect: 1
 * match: livelock
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int flag;

static void *waiter(void *arg)
{
	while (atomic_load(&flag) != 1)
		;
	return arg;
}

static void *setter(void *arg)
{
	atomic_store(&flag, 1);
	atomic_store(&flag, 2);
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
