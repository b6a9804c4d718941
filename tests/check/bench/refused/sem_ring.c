/*
 * A ring between one producer and two consumers with semaphores for items and room.
 * Bug: two consumers take the same item.
 * Cause: the semaphores count, but nothing protects the index.
 * expect: assert
 * found: --strategy=random --runs=2000
 */
#include <semaphore.h>

#include "../bench.h"

#define ROOM 2
#define ITEMS 4

static sem_t items, room;
static int ring[ROOM], out;
static _Atomic int taken[ITEMS];

static void *producer(void *arg)
{
	for (int i = 0; i < ITEMS; i++) {
		sem_wait(&room);
		ring[i % ROOM] = i;
		sem_post(&items);
	}
	return arg;
}

static void *consumer(void *arg)
{
	for (int i = 0; i < ITEMS / 2; i++) {
		sem_wait(&items);
		int item = ring[out % ROOM];

		out++;
		sem_post(&room);
		assert(taken[item]++ == 0);
	}
	return arg;
}

int main(void)
{
	sem_init(&items, 0, 0);
	sem_init(&room, 0, ROOM);
	start(producer, 0);
	start(consumer, 0);
	start(consumer, 1);
	join_all();
	return 0;
}
