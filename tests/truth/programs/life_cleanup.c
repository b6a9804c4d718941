/*
 * Cleanup handlers of C without exceptions: run when the block ends and when the thread does.
 *
 * expect: 0
 * drawn
 */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int value, undone;

static void leave(void *mutex)
{
	undone++;
	pthread_mutex_unlock(mutex);
}

static void *thread(void *arg)
{
	pthread_mutex_lock(&lock);
	pthread_cleanup_push(leave, &lock);
	if (value++ == 0)
		pthread_exit(arg);
	pthread_cleanup_pop(1);
	return arg;
}

int main(void)
{
	pthread_t t[2];

	for (int i = 0; i < 2; i++)
		pthread_create(&t[i], NULL, thread, NULL);
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], NULL);
	assert(value == 2 && undone == 2);
	return 0;
}
