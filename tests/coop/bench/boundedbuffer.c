/* Producers and consumers on one ring, one condition for "full" and "empty", and signal where
 * broadcast is needed: a producer wakes a producer, and all sleep. */
#include "bench.h"

#define CAPACITY 1

static struct {
	int slots[CAPACITY], head, tail, count, puts, gets, full, empty, waiting;
	pthread_mutex_t lock;
	pthread_cond_t changed;
} ring = {.lock = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER};
static int items, total;

static void put(int item)
{
	pthread_mutex_lock(&ring.lock);
	while (ring.count == CAPACITY) {
		ring.full++;
		ring.waiting++;
		pthread_cond_wait(&ring.changed, &ring.lock);
		ring.waiting--;
	}
	ring.slots[ring.tail] = item;
	ring.tail = (ring.tail + 1) % CAPACITY;
	ring.count++;
	ring.puts++;
	pthread_cond_signal(&ring.changed);
	pthread_mutex_unlock(&ring.lock);
}

static int get(void)
{
	int item;

	pthread_mutex_lock(&ring.lock);
	while (ring.count == 0) {
		ring.empty++;
		ring.waiting++;
		pthread_cond_wait(&ring.changed, &ring.lock);
		ring.waiting--;
	}
	item = ring.slots[ring.head];
	ring.head = (ring.head + 1) % CAPACITY;
	ring.count--;
	ring.gets++;
	pthread_cond_signal(&ring.changed);
	pthread_mutex_unlock(&ring.lock);
	return item;
}

static void *producer(void *arg)
{
	for (int i = 0; i < items; i++) {
		rest(1);
		put(i);
	}
	return arg;
}

static void *consumer(void *arg)
{
	int sum = 0;

	for (int i = 0; i < items; i++) {
		rest(1);
		sum += get();
	}
	__atomic_fetch_add(&total, sum, __ATOMIC_RELAXED);
	return arg;
}

int main(int argc, char **argv)
{
	items = bench_size(argc, argv, 5);
	bench_run(4, (void *(*const[])(void *)){producer, producer, consumer, consumer});
	return 0;
}
