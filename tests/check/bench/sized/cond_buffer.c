/*
 * A bounded buffer with a lock and two condition variables, two producers and two consumers.
 * No bug.  The enumerator knows no condition variables: the number of states is not given.
 * expect: clean
 * found: --strategy=random --runs=2000
 */
#include "../bench.h"

#define ROOM 2
#ifndef EACH
#define EACH 2
#endif

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t not_full = PTHREAD_COND_INITIALIZER, not_empty = PTHREAD_COND_INITIALIZER;
static int items[ROOM], count, produced, consumed;

static void *producer(void *number)
{
	for (int i = 0; i < EACH; i++) {
		pthread_mutex_lock(&lock);
		while (count == ROOM)
			pthread_cond_wait(&not_full, &lock);
		items[count++] = (int)(intptr_t)number * EACH + i;
		produced += items[count - 1];
		pthread_cond_signal(&not_empty);
		pthread_mutex_unlock(&lock);
	}
	return NULL;
}

static void *consumer(void *arg)
{
	for (int i = 0; i < EACH; i++) {
		pthread_mutex_lock(&lock);
		while (count == 0)
			pthread_cond_wait(&not_empty, &lock);
		consumed += items[--count];
		pthread_cond_signal(&not_full);
		pthread_mutex_unlock(&lock);
	}
	return arg;
}

int main(void)
{
	start(producer, 0);
	start(producer, 1);
	start(consumer, 0);
	start(consumer, 1);
	join_all();
	assert(count == 0 && produced == consumed);
	return 0;
}
