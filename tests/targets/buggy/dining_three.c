/*
 * Bug: three philosophers starve, each with one fork in hand.
 * Cause: everybody takes the left fork first: a cycle of three locks.
 * expect: deadlock
 */
#include <pthread.h>

#define SEATS 3

static pthread_mutex_t forks[SEATS] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER,
				       PTHREAD_MUTEX_INITIALIZER};
static int meals[SEATS];

static void *philosopher(void *arg)
{
	int seat = (int)(long)arg;

	pthread_mutex_lock(&forks[seat]);
	pthread_mutex_lock(&forks[(seat + 1) % SEATS]);
	meals[seat]++;
	pthread_mutex_unlock(&forks[(seat + 1) % SEATS]);
	pthread_mutex_unlock(&forks[seat]);
	return NULL;
}

int main(void)
{
	pthread_t t[SEATS];

	for (long i = 0; i < SEATS; i++)
		pthread_create(&t[i], NULL, philosopher, (void *)i);
	for (int i = 0; i < SEATS; i++)
		pthread_join(t[i], NULL);
	return 0;
}
