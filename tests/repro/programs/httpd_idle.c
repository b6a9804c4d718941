/*
 * Queue of a web server's workers, 10 threads: a listener hands connections to idle workers.
 * Bug: the count of idle workers is decreased in two steps (look, then subtract), while a worker
 * that becomes idle adds to it: one is lost.
 * Failure: the count is not the number of idle workers when all of them are.
 */
#include <assert.h>
#include <pthread.h>
#include <sched.h>

#ifdef PROVOKE /* as the literature does: a pause where the bug is */
#include <unistd.h>
#define WINDOW() usleep(200)
#else
#define WINDOW() ((void)0)
#endif

#define WORKERS 8
#define REQUESTS 3 /* per worker */

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t wanted = PTHREAD_COND_INITIALIZER;
static int pending, closed, served;
static volatile int idlers; /* not under the lock */

static int take(void)
{
	int got;

	pthread_mutex_lock(&lock);
	while (pending == 0 && !closed)
		pthread_cond_wait(&wanted, &lock);
	got = pending > 0;
	pending -= got;
	served += got;
	pthread_mutex_unlock(&lock);
	return got;
}

static void *work(void *arg)
{
	(void)arg;
	__atomic_fetch_add(&idlers, 1, __ATOMIC_SEQ_CST);
	while (take()) {
		int before = idlers;

		WINDOW();
		if (before > 0)
			idlers = before - 1;
		sched_yield();
		__atomic_fetch_add(&idlers, 1, __ATOMIC_SEQ_CST);
	}
	return NULL;
}

static void *listen_on(void *arg)
{
	(void)arg;
	for (int i = 0; i < WORKERS * REQUESTS; i++) {
		pthread_mutex_lock(&lock);
		pending++;
		pthread_cond_signal(&wanted);
		pthread_mutex_unlock(&lock);
	}
	pthread_mutex_lock(&lock);
	closed = 1;
	pthread_cond_broadcast(&wanted);
	pthread_mutex_unlock(&lock);
	return NULL;
}

int main(void)
{
	pthread_t workers[WORKERS], listener;

	for (int i = 0; i < WORKERS; i++)
		pthread_create(&workers[i], NULL, work, NULL);
	pthread_create(&listener, NULL, listen_on, NULL);
	pthread_join(listener, NULL);
	for (int i = 0; i < WORKERS; i++)
		pthread_join(workers[i], NULL);
	assert(idlers == WORKERS);
	return served != WORKERS * REQUESTS;
}
