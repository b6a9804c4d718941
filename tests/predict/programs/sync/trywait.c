/*
 * Correct: what one thread writes before it posts, the other one writes after it got the token, which it
 * asks for without waiting.
 */
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>

static sem_t token;
static int x;

static void *giver(void *arg)
{
	x = 1;
	sem_post(&token);
	return arg;
}

int main(void)
{
	pthread_t t;

	sem_init(&token, 0, 0);
	pthread_create(&t, NULL, giver, NULL);
	while (sem_trywait(&token) != 0)
		sched_yield();
	x++;
	pthread_join(t, NULL);
	assert(x == 2);
	return 0;
}
