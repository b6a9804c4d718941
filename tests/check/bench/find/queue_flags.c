/*
 * A bounded queue with a flag for its reader, raised outside the lock.
 * Bug: the reader takes from a queue it thinks is filled.
 * expect: assert
 * found: --strategy=mix --runs=20000
 * flags: -DN=2
 * trial: -DN=2 |
 * trial: -DN=5 |
 */
#include "../bench.h"

static int items[N], head, tail, filled;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *producer(void *arg)
{
	for (int i = 0; i < N; i++) {
		pthread_mutex_lock(&lock);
		items[tail++ % N] = i + 1;
		pthread_mutex_unlock(&lock);
		filled = tail > head;
	}
	return arg;
}

static void *consumer(void *arg)
{
	for (int i = 0; i < 2 * N; i++) {
		if (!filled)
			continue;
		pthread_mutex_lock(&lock);
		assert(head < tail);
		head++;
		pthread_mutex_unlock(&lock);
		filled = tail > head;
	}
	return arg;
}

int main(void)
{
	start(producer, 0);
	start(consumer, 0);
	start(consumer, 1);
	join_all();
	return 0;
}
