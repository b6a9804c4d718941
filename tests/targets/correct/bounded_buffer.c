/*
 * A bounded buffer with two condition variables.
 * expect: clean
 */
#include <assert.h>
#include <pthread.h>

#define ROOM 2
#define ITEMS 3

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t not_full = PTHREAD_COND_INITIALIZER, not_empty = PTHREAD_COND_INITIALIZER;
static int buffer[ROOM], used, head;

static void put(int item)
{
	pthread_mutex_lock(&lock);
	while (used == ROOM)
		pthread_cond_wait(&not_full, &lock);
	buffer[(head + used++) % ROOM] = item;
	pthread_cond_signal(&not_empty);
	pthread_mutex_unlock(&lock);
}

static int get(void)
{
	pthread_mutex_lock(&lock);
	while (used == 0)
		pthread_cond_wait(&not_empty, &lock);
	int item = buffer[head];
	head = (head + 1) % ROOM;
	used--;
	pthread_cond_signal(&not_full);
	pthread_mutex_unlock(&lock);
	return item;
}

static void *producer(void *arg)
{
	for (int i = 0; i < ITEMS; i++)
		put(i);
	return arg;
}

static void *consumer(void *arg)
{
	for (int i = 0; i < ITEMS; i++)
		assert(get() == i);
	return arg;
}

int main(void)
{
	pthread_t p, c;

	pthread_create(&p, NULL, producer, NULL);
	pthread_create(&c, NULL, consumer, NULL);
	pthread_join(p, NULL);
	pthread_join(c, NULL);
	assert(used == 0);
	return 0;
}
