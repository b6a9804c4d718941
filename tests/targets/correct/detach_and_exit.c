/*
 * Detached threads and pthread_exit: main leaves first, the process ends with its last thread.
 * expect: clean
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int work = 2;

static void *worker(void *arg)
{
	if (arg != NULL)
		pthread_detach(pthread_self());
	atomic_fetch_sub(&work, 1);
	pthread_exit(NULL);
}

static void *waiter(void *arg)
{
	pthread_t *main_thread = arg;

	assert(pthread_join(*main_thread, NULL) == 0);
	return NULL;
}

int main(void)
{
	static pthread_t me, t[3];
	pthread_attr_t attr;

	me = pthread_self();
	pthread_attr_init(&attr);
	pthread_attr_setdetachstate(&attr, PTHREAD_CREATE_DETACHED);
	pthread_create(&t[0], &attr, worker, NULL);
	pthread_create(&t[1], NULL, worker, &attr);
	pthread_create(&t[2], NULL, waiter, &me);
	pthread_detach(t[2]);
	pthread_attr_destroy(&attr);
	pthread_exit(NULL);
}
