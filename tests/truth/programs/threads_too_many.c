/*
 * expect: 4
 * match: at most 256 at the same time
 * drawn
 *
 * More threads than heddle carries: the program is not told that there can be no more.
 */
#include <assert.h>
#include <pthread.h>

#define THREADS 300

static pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;

static void *pass(void *arg)
{
	pthread_mutex_lock(&gate);
	pthread_mutex_unlock(&gate);
	return arg;
}

int main(void)
{
	pthread_t t[THREADS];

	pthread_mutex_lock(&gate);
	for (int i = 0; i < THREADS; i++)
		assert(pthread_create(&t[i], NULL, pass, NULL) == 0);
	pthread_mutex_unlock(&gate);
	for (int i = 0; i < THREADS; i++)
		pthread_join(t[i], NULL);
	return 0;
}
