/*
 * The signal is lost only when main saw the second of three values and was slow afterwards: no run
 * that learns what main does comes there by itself, and waking up for no reason is no rescue.
 *
 * expect: 1
 * match: deadlock
 * options: --spurious=on
 */
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static atomic_int state;

static void *setter(void *arg)
{
	state = 1;
	state = 2;
	state = 3;
	pthread_cond_signal(&cond);
	return NULL;
}

int main(void)
{
	pthread_t t;

	pthread_create(&t, NULL, setter, NULL);
	if (state == 2) {
		pthread_mutex_lock(&lock);
		pthread_cond_wait(&cond, &lock);
		pthread_mutex_unlock(&lock);
	}
	pthread_join(t, NULL);
	return 0;
}
