/*
 * Threads one after the other, whose thread-local variables and stacks are at the same places, and
 * whoever uses them meanwhile.
 *
 * expect: 0
 */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stddef.h>

static _Thread_local int own;
static int *shared[2];
static sem_t shown, used;

static void *shower(void *arg)
{
	int here = 1;

	own = 5;
	shared[0] = &own;
	shared[1] = &here;
	sem_post(&shown);
	sem_wait(&used);
	assert(own == 6 && here == 2);
	return arg;
}

int main(void)
{
	pthread_t t;

	sem_init(&shown, 0, 0);
	sem_init(&used, 0, 0);
	for (int i = 0; i < 3; i++) {
		pthread_create(&t, NULL, shower, NULL);
		sem_wait(&shown);
		++*shared[0];
		++*shared[1];
		sem_post(&used);
		pthread_join(t, NULL);
	}
	return 0;
}
