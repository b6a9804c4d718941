/* det: a try to lock is answered at once, also when the holder waits for the one who tries. */
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <time.h>

#include "check.h"

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static sem_t held, go;

static void *holder(void *unused)
{
	(void)unused;
	for (int i = 0; i < 50; i++) { /* nobody else has used it yet */
		pthread_mutex_lock(&a);
		pthread_mutex_unlock(&a);
	}
	pthread_mutex_lock(&a);
	sem_post(&held);
	sem_wait(&go);
	pthread_mutex_lock(&b);
	pthread_mutex_unlock(&b);
	pthread_mutex_unlock(&a);
	return NULL;
}

int main(void)
{
	struct timespec limit;
	pthread_t t;
	sem_init(&held, 0, 0);
	sem_init(&go, 0, 0);
	pthread_create(&t, NULL, holder, NULL);
	sem_wait(&held);
	pthread_mutex_lock(&b);
	sem_post(&go);
	for (int i = 0; i < 20; i++)
		EXPECT(pthread_mutex_trylock(&a) == EBUSY);
	clock_gettime(CLOCK_REALTIME, &limit);
	limit.tv_sec++;
	EXPECT(pthread_mutex_timedlock(&a, &limit) == ETIMEDOUT);
	pthread_mutex_unlock(&b);
	EXPECT(pthread_join(t, NULL) == 0);
	EXPECT(pthread_mutex_trylock(&a) == 0);
	return 0;
}
