/*
 * A semaphore that a constructor initialises, before there are events: whoever finds no token gives
 * up, and the totals are wrong when the one that has it is still at work.
 */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

static sem_t slots;
static int total;

__attribute__((constructor)) static void begin(void)
{
	sem_init(&slots, 0, 1);
}

static void *add(void *arg)
{
	if (sem_trywait(&slots) == 0) {
		total++;
		sem_post(&slots);
	}
	return arg;
}

int main(void)
{
	pthread_t a, b;

	pthread_create(&a, NULL, add, NULL);
	pthread_create(&b, NULL, add, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	assert(total == 2);
	return 0;
}
