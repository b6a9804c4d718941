/*
 * expect: 0
 * drawn
 *
 * Cleanup handlers of C give back a lock, at the end of their block and when the thread leaves.
 */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int count;

static void give_back(void *arg)
{
	pthread_mutex_unlock(arg);
}

static void *work(void *leave)
{
	pthread_mutex_lock(&lock);
	pthread_cleanup_push(give_back, &lock);
	count++;
	if (leave)
		pthread_exit(leave);
	pthread_cleanup_pop(1);
	return NULL;
}

int main(void)
{
	pthread_t a, b;
	void *left;

	pthread_create(&a, NULL, work, &count);
	pthread_create(&b, NULL, work, NULL);
	pthread_join(a, &left);
	pthread_join(b, NULL);
	assert(count == 2 && left == &count);
	return 0;
}
