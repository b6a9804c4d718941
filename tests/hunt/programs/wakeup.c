/* A signal between the test and the wait is lost.  hunt: found deadlock */
#include <pthread.h>

static int ready;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;

static void *waiter(void *arg)
{
	if (!ready) {
		pthread_mutex_lock(&m);
		pthread_cond_wait(&c, &m);
		pthread_mutex_unlock(&m);
	}
	return arg;
}

static void *waker(void *arg)
{
	ready = 1;
	pthread_cond_signal(&c);
	return arg;
}

int main(void)
{
	pthread_t a, b;

	pthread_create(&b, NULL, waker, NULL);
	pthread_create(&a, NULL, waiter, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
