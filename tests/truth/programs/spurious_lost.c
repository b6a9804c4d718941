/*
 * A signal that nobody waits for is lost; a wake-up for no reason may come, but is no rescue.
 *
 * expect: 1
 * match: deadlock
 * options: --spurious=on
 */
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;

static void *setter(void *arg)
{
	pthread_cond_signal(&cond);
	return NULL;
}

int main(void)
{
	pthread_t t;

	pthread_create(&t, NULL, setter, NULL);
	pthread_mutex_lock(&lock);
	pthread_cond_wait(&cond, &lock);
	pthread_mutex_unlock(&lock);
	pthread_join(t, NULL);
	return 0;
}
