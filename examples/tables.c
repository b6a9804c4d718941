/* Four guests at a round table, each of whom takes the fork on the left first. */
#include <pthread.h>

#define GUESTS 4

static pthread_mutex_t forks[GUESTS];
static int meals;

static void *guest(void *arg)
{
	pthread_mutex_t *left = arg;
	pthread_mutex_t *right = left + 1 < forks + GUESTS ? left + 1 : forks;

	pthread_mutex_lock(left);
	pthread_mutex_lock(right);
	__atomic_fetch_add(&meals, 1, __ATOMIC_RELAXED);
	pthread_mutex_unlock(right);
	pthread_mutex_unlock(left);
	return NULL;
}

int main(void)
{
	pthread_t threads[GUESTS];

	for (int i = 0; i < GUESTS; i++)
		pthread_mutex_init(&forks[i], NULL);
	for (int i = 0; i < GUESTS; i++)
		pthread_create(&threads[i], NULL, guest, &forks[i]);
	for (int i = 0; i < GUESTS; i++)
		pthread_join(threads[i], NULL);
	return meals == GUESTS ? 0 : 1;
}
