/* Vector 12.3: a timed wait of 10 turns that nobody signals. */
#include <errno.h>
#include <pthread.h>
#include <time.h>

static pthread_mutex_t mu = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cv = PTHREAD_COND_INITIALIZER;
static int result;

static void *work(void *unused)
{
	struct timespec limit;
	(void)unused;
	clock_gettime(CLOCK_REALTIME, &limit);
	limit.tv_nsec += 10 * 3000;
	if (limit.tv_nsec >= 1000000000) {
		limit.tv_nsec -= 1000000000;
		limit.tv_sec++;
	}
	pthread_mutex_lock(&mu);
	result = pthread_cond_timedwait(&cv, &mu, &limit);
	pthread_mutex_unlock(&mu);
	return NULL;
}

int main(void)
{
	pthread_t t;
	pthread_create(&t, NULL, work, NULL);
	pthread_join(t, NULL);
	return result != ETIMEDOUT;
}
