/* Vector 12.7: main sleeps 10 turns, then wakes two waiters. */
#include <pthread.h>
#include <time.h>

static pthread_mutex_t mu = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cv = PTHREAD_COND_INITIALIZER;
static int go;

static void *work(void *unused)
{
	(void)unused;
	pthread_mutex_lock(&mu);
	while (!go)
		pthread_cond_wait(&cv, &mu);
	pthread_mutex_unlock(&mu);
	return NULL;
}

int main(void)
{
	pthread_t a, b;
	struct timespec length = {0, 10 * 3000};
	pthread_create(&a, NULL, work, NULL);
	pthread_create(&b, NULL, work, NULL);
	nanosleep(&length, NULL);
	pthread_mutex_lock(&mu);
	go = 1;
	pthread_cond_broadcast(&cv);
	pthread_mutex_unlock(&mu);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
