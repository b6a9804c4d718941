/*
 * Many threads that meet in pairs and end with pthread_exit: what the C library initialises once for
 * that is done, and no order of asking for it matters.
 *
 * expect: 0
 * options: --time=20
 */
#include <assert.h>
#include <pthread.h>

#define PAIRS 8

static pthread_mutex_t lock[PAIRS];
static int taken[PAIRS];

static void *thread(void *arg)
{
	long place = (long)arg % PAIRS;

	pthread_mutex_lock(&lock[place]);
	taken[place]++;
	pthread_mutex_unlock(&lock[place]);
	pthread_exit(NULL);
}

int main(void)
{
	pthread_t t[2 * PAIRS];

	for (int i = 0; i < PAIRS; i++)
		pthread_mutex_init(&lock[i], NULL);
	for (long i = 0; i < 2 * PAIRS; i++)
		pthread_create(&t[i], NULL, thread, (void *)i);
	for (int i = 0; i < 2 * PAIRS; i++)
		pthread_join(t[i], NULL);
	for (int i = 0; i < PAIRS; i++)
		assert(taken[i] == 2);
	return 0;
}
