/* det: once, spin locks, semaphores, errno, signals without waiters, yields. */
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <time.h>

#include "check.h"

static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_spinlock_t spin;
static pthread_mutex_t mu = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cv = PTHREAD_COND_INITIALIZER;
static sem_t sem;
static int inits, count, order[3], woken;

static void init(void)
{
	pthread_mutex_lock(&mu);
	inits++;
	pthread_mutex_unlock(&mu);
	sched_yield();
}

static void *work(void *n)
{
	pthread_once(&once, init);
	EXPECT(inits == 1);
	for (int i = 0; i < 100; i++) {
		errno = 42;
		pthread_spin_lock(&spin);
		count++;
		pthread_spin_unlock(&spin);
		EXPECT(errno == 42);
	}
	pthread_mutex_lock(&mu);
	pthread_cond_signal(&cv);
	pthread_mutex_unlock(&mu);
	sem_wait(&sem);
	pthread_mutex_lock(&mu);
	order[woken++] = (int)(long)n;
	pthread_mutex_unlock(&mu);
	return NULL;
}

int main(void)
{
	pthread_t t[3];
	struct timespec limit;
	int value;
	pthread_spin_init(&spin, PTHREAD_PROCESS_PRIVATE);
	sem_init(&sem, 0, 0);
	EXPECT(sem_trywait(&sem) == -1 && errno == EAGAIN);
	clock_gettime(CLOCK_REALTIME, &limit);
	EXPECT(sem_timedwait(&sem, &limit) == -1 && errno == ETIMEDOUT);
	for (long i = 0; i < 3; i++)
		pthread_create(&t[i], NULL, work, (void *)i);
	for (int i = 0; i < 3; i++)
		sem_post(&sem);
	for (int i = 0; i < 3; i++)
		pthread_join(t[i], NULL);
	EXPECT(sem_getvalue(&sem, &value) == 0 && value == 0);
	EXPECT(count == 300 && woken == 3);
	printf("%d%d%d\n", order[0], order[1], order[2]);
	return 0;
}
