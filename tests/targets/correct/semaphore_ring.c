/*
 * A ring with two counting semaphores; trywait and timedwait at the end.
 * expect: clean
 */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <time.h>

#define ROOM 2
#define ITEMS 3

static sem_t places, items;
static int ring[ROOM];

static void *producer(void *arg)
{
	for (int i = 0; i < ITEMS; i++) {
		sem_wait(&places);
		ring[i % ROOM] = i;
		sem_post(&items);
	}
	return arg;
}

static void *consumer(void *arg)
{
	for (int i = 0; i < ITEMS; i++) {
		sem_wait(&items);
		assert(ring[i % ROOM] == i);
		sem_post(&places);
	}
	return arg;
}

int main(void)
{
	pthread_t p, c;
	struct timespec until;
	int left;

	sem_init(&places, 0, ROOM);
	sem_init(&items, 0, 0);
	pthread_create(&p, NULL, producer, NULL);
	pthread_create(&c, NULL, consumer, NULL);
	pthread_join(p, NULL);
	pthread_join(c, NULL);
	sem_getvalue(&places, &left);
	assert(left == ROOM);
	assert(sem_trywait(&items) == -1 && errno == EAGAIN);
	clock_gettime(CLOCK_REALTIME, &until);
	until.tv_nsec = 0;
	until.tv_sec += 1;
	assert(sem_timedwait(&items, &until) == -1 && errno == ETIMEDOUT);
	return 0;
}
