/*
 * Bug: a mutex is destroyed while it is locked.
 * Cause: the owner object is torn down when the last user says so, before that user unlocked.
 * expect: sync-misuse
 */
#include <pthread.h>
#include <semaphore.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static sem_t last;

static void *user(void *arg)
{
	pthread_mutex_lock(&lock);
	sem_post(&last);
	pthread_mutex_unlock(&lock);
	return arg;
}

int main(void)
{
	pthread_t t;

	sem_init(&last, 0, 0);
	pthread_create(&t, NULL, user, NULL);
	sem_wait(&last);
	pthread_mutex_destroy(&lock);
	pthread_join(t, NULL);
	return 0;
}
