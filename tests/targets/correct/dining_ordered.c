/*
 * Three philosophers; everybody takes the lower-numbered fork first.
 * expect: clean
 */
#include <assert.h>
#include <pthread.h>

#define SEATS 3

static pthread_mutex_t forks[SEATS] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER,
				       PTHREAD_MUTEX_INITIALIZER};
static int meals[SEATS];

static void *philosopher(void *arg)
{
	int seat = (int)(long)arg, next = (seat + 1) % SEATS;
	int low = seat < next ? seat : next, high = seat < next ? next : seat;

	pthread_mutex_lock(&forks[low]);
	pthread_mutex_lock(&forks[high]);
	meals[seat]++;
	pthread_mutex_unlock(&forks[high]);
	pthread_mutex_unlock(&forks[low]);
	return NULL;
}

int main(void)
{
	pthread_t t[SEATS];

	for (long i = 0; i < SEATS; i++)
		pthread_create(&t[i], NULL, philosopher, (void *)i);
	for (int i = 0; i < SEATS; i++)
		pthread_join(t[i], NULL);
	for (int i = 0; i < SEATS; i++)
		assert(meals[i] == 1);
	return 0;
}
