/*
 * Sleepers that count themselves write on their way back to sleep; the search has an end.
 *
 * expect: 0
 * match: spurious wake-ups considered
 * options: --spurious=on
 */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static int items, waiting;

static void *taker(void *arg)
{
	pthread_mutex_lock(&lock);
	while (items == 0) {
		waiting++;
		pthread_cond_wait(&cond, &lock);
		waiting--;
	}
	items--;
	assert(items >= 0 && waiting >= 0);
	pthread_mutex_unlock(&lock);
	return NULL;
}

int main(void)
{
	pthread_t t[2];

	for (int i = 0; i < 2; i++)
		pthread_create(&t[i], NULL, taker, NULL);
	for (int i = 0; i < 2; i++) {
		pthread_mutex_lock(&lock);
		items++;
		if (waiting)
			pthread_cond_signal(&cond);
		pthread_mutex_unlock(&lock);
	}
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], NULL);
	return 0;
}
