/*
 * A thread finds its own identifier where its creator had it stored.
 *
 * expect: 0
 * drawn
 */
#include <assert.h>
#include <pthread.h>

static pthread_t worker;

static void *thread(void *arg)
{
	assert(pthread_equal(worker, pthread_self()));
	return NULL;
}

int main(void)
{
	pthread_create(&worker, NULL, thread, NULL);
	pthread_join(worker, NULL);
	return 0;
}
