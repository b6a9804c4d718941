/* A producer, a consumer, a slot and a flag: the flag is set before the slot is. */
#include <assert.h>

#include "bench.h"

static int slot, filled, made, used, rounds;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;

static void wait_until(int value)
{
	pthread_mutex_lock(&lock);
	while (filled != value)
		pthread_cond_wait(&changed, &lock);
	pthread_mutex_unlock(&lock);
}

static void set(int value)
{
	pthread_mutex_lock(&lock);
	filled = value;
	pthread_cond_signal(&changed);
	pthread_mutex_unlock(&lock);
}

static void *producer(void *arg)
{
	for (int i = 1; i <= rounds; i++) {
		rest(1);
		wait_until(0);
		made++;
		set(1);
		if (i == rounds)
			rest(1);
		slot = i;
	}
	return arg;
}

static void *consumer(void *arg)
{
	for (int i = 1; i <= rounds; i++) {
		wait_until(1);
		rest(1);
		assert(slot == i);
		used++;
		set(0);
	}
	return arg;
}

int main(int argc, char **argv)
{
	rounds = bench_size(argc, argv, 30);
	bench_run(2, (void *(*const[])(void *)){producer, consumer});
	return made != used;
}
