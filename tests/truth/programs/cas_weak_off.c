/*
 * The same when nothing fails for no reason: the answer says that it relies on that.
 *
 * expect: 0
 * match: spurious wake-ups not considered
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int lock, taken;

static void *taker(void *arg)
{
	int expected = 0;

	if (atomic_compare_exchange_weak(&lock, &expected, 1))
		taken++;
	return NULL;
}

int main(void)
{
	pthread_t t[2];

	for (int i = 0; i < 2; i++)
		pthread_create(&t[i], NULL, taker, NULL);
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], NULL);
	assert(taken == 1);
	return 0;
}
