/*
 * A buffer of one item with one condition for both sides, where a signal wakes the wrong one: with
 * several sleepers it matters which of them is woken, and they went to sleep in no order of numbers.
 */
#include <pthread.h>

#define SIDE 3

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int items;

static void *put(void *arg)
{
	pthread_mutex_lock(&lock);
	while (items == 1)
		pthread_cond_wait(&changed, &lock);
	items++;
	pthread_cond_signal(&changed);
	pthread_mutex_unlock(&lock);
	return arg;
}

static void *get(void *arg)
{
	pthread_mutex_lock(&lock);
	while (items == 0)
		pthread_cond_wait(&changed, &lock);
	items--;
	pthread_cond_signal(&changed);
	pthread_mutex_unlock(&lock);
	return arg;
}

int main(void)
{
	pthread_t all[2 * SIDE];

	for (int i = 0; i < 2 * SIDE; i++)
		pthread_create(&all[i], NULL, i % 2 ? put : get, NULL);
	for (int i = 2 * SIDE - 1; i >= 0; i--)
		pthread_join(all[i], NULL);
	return 0;
}
