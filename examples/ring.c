/* A queue of one producer and one consumer without locks; FIXED publishes with release. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#define SLOTS 2
#ifdef FIXED
#define PUBLISH memory_order_release
#else
#define PUBLISH memory_order_relaxed
#endif

static int slots[SLOTS];
static atomic_uint head, tail;

static int put(int value)
{
	unsigned t = atomic_load_explicit(&tail, memory_order_relaxed);

	if (t - atomic_load_explicit(&head, memory_order_acquire) == SLOTS)
		return 0;
	slots[t % SLOTS] = value;
	atomic_store_explicit(&tail, t + 1, PUBLISH);
	return 1;
}

static int take(int *value)
{
	unsigned h = atomic_load_explicit(&head, memory_order_relaxed);

	if (h == atomic_load_explicit(&tail, memory_order_acquire))
		return 0;
	*value = slots[h % SLOTS];
	atomic_store_explicit(&head, h + 1, memory_order_release);
	return 1;
}

static void *producer(void *arg)
{
	put(1);
	put(2);
	return arg;
}

int main(void)
{
	pthread_t thread;
	int value, expected = 1;

	pthread_create(&thread, NULL, producer, NULL);
	for (int tries = 0; tries < 3; tries++)
		if (take(&value))
			assert(value == expected++);
	pthread_join(thread, NULL);
	return 0;
}
