/*
 * Spin-wait loops in a row: each thread passes the turn on.
 * expect: clean
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int turn;
static int order[3];

static void *runner(void *arg)
{
	int me = (int)(long)arg;

	while (atomic_load_explicit(&turn, memory_order_acquire) != me)
		;
	order[me] = me + (me > 0 ? order[me - 1] : 0);
	atomic_store_explicit(&turn, me + 1, memory_order_release);
	return NULL;
}

int main(void)
{
	pthread_t t[3];

	for (long i = 0; i < 3; i++)
		pthread_create(&t[i], NULL, runner, (void *)(2 - i));
	while (atomic_load(&turn) != 3)
		;
	assert(order[2] == 3);
	for (int i = 0; i < 3; i++)
		pthread_join(t[i], NULL);
	return 0;
}
