/*
 * A message whose flag is relaxed, with a conversion of a number between data and flag: under PSO the
 * data may come late.  No access races as long as the call waits for the data.
 *
 * expect: 4
 * match: waited for late stores
 * options: --model=pso --algorithm=learn
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static int data;
static atomic_int flag;

static void *sender(void *arg)
{
	char text[2] = {'1', 0};

	data = 1;
	atomic_store_explicit(&flag, atoi(text), memory_order_relaxed);
	return arg;
}

static void *receiver(void *arg)
{
	if (atomic_load_explicit(&flag, memory_order_relaxed))
		assert(data == 1);
	return arg;
}

int main(void)
{
	pthread_t a, b;

	pthread_create(&a, NULL, sender, NULL);
	pthread_create(&b, NULL, receiver, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
