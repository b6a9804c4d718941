/*
 * A ticket lock made of two atomics.
 * expect: clean
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_uint next_ticket, now_serving;
static int counter;

static void *customer(void *arg)
{
	unsigned mine = atomic_fetch_add(&next_ticket, 1);

	while (atomic_load_explicit(&now_serving, memory_order_acquire) != mine)
		;
	counter++;
	atomic_store_explicit(&now_serving, mine + 1, memory_order_release);
	return arg;
}

int main(void)
{
	pthread_t t[3];

	for (int i = 0; i < 3; i++)
		pthread_create(&t[i], NULL, customer, NULL);
	for (int i = 0; i < 3; i++)
		pthread_join(t[i], NULL);
	assert(counter == 3);
	return 0;
}
