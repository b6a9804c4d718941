/*
 * Consumers take from a queue with a semaphore and a lock; main gives the queue up once it counts
 * all items, without waiting for the consumers.  Everything is in sections.
 */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

#include "heddle/stable.h"

static struct queue {
	pthread_mutex_t m;
	int items, alive;
} q = {PTHREAD_MUTEX_INITIALIZER, 0, 1};
static sem_t full, taken;

static void *consume(void *arg)
{
	pcs_enter();
	sem_wait(&full);
	pthread_mutex_lock(&q.m);
	q.items--;
	pthread_mutex_unlock(&q.m);
	sem_post(&taken);
	/* One more look at the queue. */
	pthread_mutex_lock(&q.m);
	assert(q.alive);
	pthread_mutex_unlock(&q.m);
	pcs_exit();
	return arg;
}

int main(void)
{
	pthread_t t;

	sem_init(&full, 0, 0);
	sem_init(&taken, 0, 0);
	pthread_create(&t, NULL, consume, NULL);
	pcs_enter();
	pthread_mutex_lock(&q.m);
	q.items++;
	pthread_mutex_unlock(&q.m);
	sem_post(&full);
	sem_wait(&taken);
	pthread_mutex_lock(&q.m);
	q.alive = 0;
	pthread_mutex_unlock(&q.m);
	pcs_exit();
	pthread_join(t, NULL);
	return 0;
}
