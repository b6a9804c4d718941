/*
 * Waiting by yielding, until the other has done its part.
 * expect: clean
 */
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

static atomic_int ready;
static int data;

static void *producer(void *arg)
{
	data = 5;
	atomic_store(&ready, 1);
	return arg;
}

static void *consumer(void *arg)
{
	while (!atomic_load(&ready))
		sched_yield();
	assert(data == 5);
	return arg;
}

int main(void)
{
	pthread_t p, c;

	pthread_create(&c, NULL, consumer, NULL);
	pthread_create(&p, NULL, producer, NULL);
	pthread_join(p, NULL);
	pthread_join(c, NULL);
	return 0;
}
