/*
 * A place on the stack that only the other thread writes, where variables of others have been.
 *
 * expect: 0
 */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stddef.h>

static sem_t asked, answered;
static int *place;

static __attribute__((noinline)) int ask(void)
{
	int answer;

	place = &answer;
	sem_post(&asked);
	sem_wait(&answered);
	return answer;
}

static void *answerer(void *arg)
{
	for (int i = 0; i < 2; i++) {
		sem_wait(&asked);
		*place = 7;
		sem_post(&answered);
	}
	return arg;
}

static void *asker(void *arg)
{
	assert(ask() == 7);
	assert(ask() == 7);
	return arg;
}

int main(void)
{
	pthread_t t[2];

	sem_init(&asked, 0, 0);
	sem_init(&answered, 0, 0);
	pthread_create(&t[0], NULL, answerer, NULL);
	pthread_create(&t[1], NULL, asker, NULL);
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], NULL);
	return 0;
}
