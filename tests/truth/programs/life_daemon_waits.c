/*
 * A worker that nobody joins waits for jobs when main returns, as in many correct programs: the
 * process ends, whatever its threads wait for.
 *
 * expect: 0
 * match: threads still wait when the process ends
 * drawn
 */
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t posted = PTHREAD_COND_INITIALIZER;
static int jobs;

static void *worker(void *arg)
{
	pthread_mutex_lock(&mutex);
	for (;;) {
		while (!jobs)
			pthread_cond_wait(&posted, &mutex);
		jobs--;
	}
	return arg;
}

int main(void)
{
	pthread_t t;

	pthread_create(&t, NULL, worker, NULL);
	pthread_detach(t);
	pthread_mutex_lock(&mutex);
	jobs++;
	pthread_cond_signal(&posted);
	pthread_mutex_unlock(&mutex);
	return 0;
}
