/*
 * Attempts on a semaphore, a spin lock and a lock for readers, until they succeed.
 *
 * expect: 0
 */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <unistd.h>

static pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;
static pthread_spinlock_t spin;
static sem_t done;
static int count;

static void *worker(void *arg)
{
	while (pthread_spin_trylock(&spin))
		usleep(10);
	count++;
	pthread_spin_unlock(&spin);
	while (pthread_rwlock_tryrdlock(&rwlock))
		usleep(10);
	pthread_rwlock_unlock(&rwlock);
	sem_post(&done);
	return arg;
}

int main(void)
{
	pthread_t t, u;

	pthread_spin_init(&spin, 0);
	sem_init(&done, 0, 0);
	pthread_rwlock_wrlock(&rwlock);
	pthread_create(&t, NULL, worker, NULL);
	pthread_create(&u, NULL, worker, NULL);
	pthread_rwlock_unlock(&rwlock);
#ifndef HASTY
	while (sem_trywait(&done))
		usleep(10);
#endif
	while (sem_trywait(&done))
		usleep(10);
	assert(count == 2);
	pthread_join(t, NULL);
	pthread_join(u, NULL);
	return 0;
}
