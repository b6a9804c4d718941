/*
 * A spin lock on a weak compare and swap: who fails for no reason tries again and is not stuck.
 *
 * expect: 0
 * match: spurious wake-ups considered
 * options: --spurious=on
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int lock;
static int n;

static void *worker(void *arg)
{
	int free;

	do
		free = 0;
	while (!atomic_compare_exchange_weak(&lock, &free, 1));
	n++;
	atomic_store(&lock, 0);
	return NULL;
}

int main(void)
{
	pthread_t t[2];

	for (int i = 0; i < 2; i++)
		pthread_create(&t[i], NULL, worker, NULL);
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], NULL);
	assert(n == 2);
	return 0;
}
