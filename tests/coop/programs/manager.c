/*
 * Workers take blocks from a free list and give them back; the counter is changed under another
 * lock than the list, half of the time.
 *
 * Expected: assertion
 */
#include <assert.h>
#include <pthread.h>

#include "nudge.h"

#define BLOCKS 4
#define ROUNDS 3
struct block {
	struct block *next;
	int used;
};
static struct block blocks[BLOCKS], *list;
static int available;
static pthread_mutex_t taking = PTHREAD_MUTEX_INITIALIZER, giving = PTHREAD_MUTEX_INITIALIZER;

static struct block *take(int slow)
{
	struct block *b;
	int n;

	pthread_mutex_lock(&taking);
	b = list;
	list = b->next;
	b->used = 1;
	n = available;
	if (slow) {
		nudge_pass(0);
		nudge_wait(1);
	}
	available = n - 1;
	pthread_mutex_unlock(&taking);
	return b;
}

static void give(struct block *b)
{
	pthread_mutex_lock(&taking);
	b->used = 0;
	b->next = list;
	list = b;
	pthread_mutex_unlock(&taking);
	pthread_mutex_lock(&giving);
	available++;
	pthread_mutex_unlock(&giving);
}

static void *worker(void *arg)
{
	for (int i = 0; i < ROUNDS; i++)
		give(take(i == ROUNDS - 1));
	return arg;
}

static void *other(void *arg)
{
	for (int i = 0; i < ROUNDS - 1; i++)
		give(take(0));
	struct block *b = take(0);

	pthread_mutex_lock(&taking);
	b->used = 0;
	b->next = list;
	list = b;
	pthread_mutex_unlock(&taking);
	nudge_pass(2);
	nudge_wait(0);
	pthread_mutex_lock(&giving);
	available++;
	pthread_mutex_unlock(&giving);
	nudge_pass(1);
	return arg;
}

static void *late(void *arg)
{
	nudge_wait(2);
	return worker(arg);
}

int main(void)
{
	pthread_t t[2];

	nudge_init(3);
	for (int i = 0; i < BLOCKS; i++) {
		blocks[i].next = list;
		list = &blocks[i];
		available++;
	}
	pthread_create(&t[0], NULL, late, NULL);
	pthread_create(&t[1], NULL, other, NULL);
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], NULL);
	assert(available == BLOCKS);
	return 0;
}
